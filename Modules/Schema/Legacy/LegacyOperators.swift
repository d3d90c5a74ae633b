// The operators of properties that were declared before `Field` was there.

/// Sets a property: `dog.name .= "Rex"`.
infix operator .= : AssignmentPrecedence
/// Compares what a property holds now: `dog.name .== "Rex"`.
infix operator .== : ComparisonPrecedence

extension ValueContainer.Required {
    /// Sets the value.
    public static func .= (_ property: ValueContainer<O>.Required<V>, _ newValue: V) {
        property.value = newValue
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(_ property: ValueContainer<O>.Required<V>, _ property2: ValueContainer<O2>.Required<V>) {
        property.value = property2.value
    }

    /// Whether the value equals another.
    public static func .== (_ property: ValueContainer<O>.Required<V>, _ value: V?) -> Bool {
        property.value == value
    }

    /// Whether the value equals another.
    public static func .== (_ value: V?, _ property: ValueContainer<O>.Required<V>) -> Bool {
        value == property.value
    }

    /// Whether two properties hold equal values.
    public static func .== (
        _ property: ValueContainer<O>.Required<V>, _ property2: ValueContainer<O>.Required<V>
    ) -> Bool {
        property.value == property2.value
    }

    /// Whether two properties hold equal values.
    public static func .== (
        _ property: ValueContainer<O>.Required<V>, _ property2: ValueContainer<O>.Optional<V>
    ) -> Bool {
        property.value == property2.value
    }
}

extension ValueContainer.Optional {
    /// Sets the value.
    public static func .= (_ property: ValueContainer<O>.Optional<V>, _ newValue: V?) {
        property.value = newValue
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(_ property: ValueContainer<O>.Optional<V>, _ property2: ValueContainer<O2>.Optional<V>) {
        property.value = property2.value
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(_ property: ValueContainer<O>.Optional<V>, _ property2: ValueContainer<O2>.Required<V>) {
        property.value = property2.value
    }

    /// Whether the value equals another.
    public static func .== (_ property: ValueContainer<O>.Optional<V>, _ value: V?) -> Bool {
        property.value == value
    }

    /// Whether the value equals another.
    public static func .== (_ value: V?, _ property: ValueContainer<O>.Optional<V>) -> Bool {
        value == property.value
    }

    /// Whether two properties hold equal values.
    public static func .== (
        _ property: ValueContainer<O>.Optional<V>, _ property2: ValueContainer<O>.Optional<V>
    ) -> Bool {
        property.value == property2.value
    }

    /// Whether two properties hold equal values.
    public static func .== (
        _ property: ValueContainer<O>.Optional<V>, _ property2: ValueContainer<O>.Required<V>
    ) -> Bool {
        property.value == property2.value
    }
}

extension TransformableContainer.Required {
    /// Sets the value.
    public static func .= (_ property: TransformableContainer<O>.Required<V>, _ newValue: V) {
        property.value = newValue
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(
        _ property: TransformableContainer<O>.Required<V>, _ property2: TransformableContainer<O2>.Required<V>
    ) {
        property.value = property2.value
    }
}

extension TransformableContainer.Optional {
    /// Sets the value.
    public static func .= (_ property: TransformableContainer<O>.Optional<V>, _ newValue: V?) {
        property.value = newValue
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(
        _ property: TransformableContainer<O>.Optional<V>, _ property2: TransformableContainer<O2>.Optional<V>
    ) {
        property.value = property2.value
    }

    /// Sets the value to what another property holds.
    public static func .= <O2>(
        _ property: TransformableContainer<O>.Optional<V>, _ property2: TransformableContainer<O2>.Required<V>
    ) {
        property.value = property2.value
    }
}
