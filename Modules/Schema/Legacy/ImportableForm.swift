/// Converts the value of a deprecated property to its stored value and back.
///
/// - Parameters:
///   - V: the type of the property.
///   - S: ``ImportableValue``, or an optional of this type.
struct ImportableForm<V, S: FieldStorableType> {
    let isOptional: Bool
    let stored: (V) -> S
    let value: (S) -> V

    /// The form of a required value.
    static func required() -> Self where V: ImportableAttributeType, S == ImportableValue<V> {
        Self(isOptional: false) {
            ImportableValue(value: $0)
        } value: {
            $0.value
        }
    }

    /// The form of an optional value.
    static func optional<Wrapped>() -> Self where V == Wrapped?, S == ImportableValue<Wrapped>? {
        Self(isOptional: true) {
            $0.map { ImportableValue(value: $0) }
        } value: {
            $0?.value
        }
    }
}
