/// Sets and compares deprecated properties with the operators `.=` and `.==`.
//
// The operators of the deprecated properties with values, which are the properties of `Value` and `Transformable`.

/// Sets a property: `dog.name .= "Rex"`.
infix operator .= : AssignmentPrecedence
/// Compares the current value of a property: `dog.name .== "Rex"`.
infix operator .== : ComparisonPrecedence

extension LegacyAttribute {
    /// Sets the value.
    public static func .= (_ property: LegacyAttribute, _ newValue: V) { property.value = newValue }

    /// Sets the value to the value of another property.
    public static func .= <O2>(_ property: LegacyAttribute, _ property2: LegacyAttribute<O2, V, D>) {
        property.value = property2.value
    }

    /// Sets an optional value to the value of another property.
    public static func .= <O2>(_ property: LegacyAttribute, _ property2: LegacyAttribute<O2, D, D>) where V == D? {
        property.value = property2.value
    }
}

extension LegacyAttribute where D: Equatable {
    /// Whether the value equals another value.
    public static func .== (_ property: LegacyAttribute, _ value: D?) -> Bool where V == D {
        property.value == value
    }

    /// Whether the value equals another value.
    public static func .== (_ value: D?, _ property: LegacyAttribute) -> Bool where V == D {
        value == property.value
    }

    /// Whether an optional value equals another value.
    public static func .== (_ property: LegacyAttribute, _ value: D?) -> Bool where V == D? {
        property.value == value
    }

    /// Whether an optional value equals another value.
    public static func .== (_ value: D?, _ property: LegacyAttribute) -> Bool where V == D? {
        value == property.value
    }

    /// Whether two properties hold equal values.
    public static func .== (_ property: LegacyAttribute, _ property2: LegacyAttribute) -> Bool where V: Equatable {
        property.value == property2.value
    }

    /// Whether a property and an optional property hold equal values.
    public static func .== (_ property: LegacyAttribute, _ property2: LegacyAttribute<O, D?, D>) -> Bool where V == D {
        property.value == property2.value
    }

    /// Whether an optional property and a property hold equal values.
    public static func .== (_ property: LegacyAttribute, _ property2: LegacyAttribute<O, D, D>) -> Bool where V == D? {
        property.value == property2.value
    }
}
