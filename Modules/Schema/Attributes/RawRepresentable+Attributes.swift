// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage

/// Enumerations are kept as their raw values.
extension RawRepresentable where Self: QueryableAttributeType, RawValue: QueryableAttributeType {
    public typealias QueryableNativeType = RawValue.QueryableNativeType

    public static var cs_rawAttributeType: AttributeType { RawValue.cs_rawAttributeType }

    public static func cs_fromQueryableNativeType(_ value: RawValue.QueryableNativeType) -> Self? {
        RawValue.cs_fromQueryableNativeType(value).flatMap(Self.init(rawValue:))
    }

    public func cs_toQueryableNativeType() -> RawValue.QueryableNativeType { rawValue.cs_toQueryableNativeType() }
}

extension QueryableAttributeType where Self: RawRepresentable, RawValue: QueryableAttributeType {
    public var _queryValue: Value { rawValue._queryValue }
}

/// A stored raw value that the enumeration does not know is no value of it.
extension FieldStorableType where Self: RawRepresentable, RawValue: FieldStorableType {
    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        RawValue._read(row, slot).flatMap(Self.init(rawValue:))
    }

    @inlinable
    public func _write(_ row: Row, _ slot: Int) -> Bool { rawValue._write(row, slot) }

    public var _storedValue: Value { rawValue._storedValue }

    public static func _fromStoredValue(_ value: Value) -> Self? {
        RawValue._fromStoredValue(value).flatMap(Self.init(rawValue:))
    }
}
