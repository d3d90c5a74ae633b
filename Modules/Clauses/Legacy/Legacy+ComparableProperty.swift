public import CofferSchema
public import CofferStorage

// These property types are older than `Field`.

/// Makes deprecated properties comparable with values in conditions.
extension ValueContainer.Required: ComparableAttribute {
    /// Returns the value in the form that requests use.
    public static func _compared(_ value: V) -> Value { value._queryValue }
    /// Returns the value in the form that requests use.
    public static func _ordered(_ value: V) -> Value { value._queryValue }
}

extension ValueContainer.Required: OrderedProperty where V: Comparable {}

extension ValueContainer.Optional: OrderedProperty {
    /// Returns the value in the form that requests use.
    public static func _compared(_ value: V) -> Value { value._queryValue }
    /// Returns the value in the form that requests use.
    public static func _ordered(_ value: V?) -> Value { value?._queryValue ?? .null }
}

extension RelationshipContainer.ToOne: ComparableProperty {
    /// Returns the value in the form that requests use.
    public static func _compared(_ value: D) -> Value { .related(value) }
}
