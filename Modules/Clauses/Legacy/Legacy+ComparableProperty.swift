public import CofferSchema
public import CofferStorage

// Properties that were declared before `Field` was there.

extension ValueContainer.Required: ComparableAttribute {
    /// The value as a request has it.
    public static func _compared(_ value: V) -> Value { value._queryValue }
    /// The value as a request has it.
    public static func _ordered(_ value: V) -> Value { value._queryValue }
}

extension ValueContainer.Required: OrderedProperty where V: Comparable {}

extension ValueContainer.Optional: OrderedProperty {
    /// The value as a request has it.
    public static func _compared(_ value: V) -> Value { value._queryValue }
    /// The value as a request has it.
    public static func _ordered(_ value: V?) -> Value { value?._queryValue ?? .null }
}

extension RelationshipContainer.ToOne: ComparableProperty {
    /// The value as a request has it.
    public static func _compared(_ value: D) -> Value { .related(value) }
}
