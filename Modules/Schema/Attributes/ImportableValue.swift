import CofferStorage

/// A wrapper that makes an `ImportableAttributeType` a `FieldStorableType`, with the same stored values.
struct ImportableValue<V: ImportableAttributeType>: FieldStorableType {
    let value: V

    static var _isUUID: Bool { (V.self as? any FieldStorableType.Type)?._isUUID ?? false }

    static var cs_rawAttributeType: AttributeType { V.cs_rawAttributeType }

    static func cs_fromFieldStoredNativeType(_ value: V.QueryableNativeType) -> Self {
        guard let value = V.cs_fromQueryableNativeType(value) else {
            Diagnostics.abort("The native value is not a value of '\(V.self)'.")
        }
        return Self(value: value)
    }

    func cs_toFieldStoredNativeType() -> Any? { value.cs_toQueryableNativeType() }

    var _storedValue: Value { value._queryValue }

    static func _fromStoredValue(_ value: Value) -> Self? {
        (value.native as? V.QueryableNativeType).flatMap { V.cs_fromQueryableNativeType($0) }.map { Self(value: $0) }
    }
}
