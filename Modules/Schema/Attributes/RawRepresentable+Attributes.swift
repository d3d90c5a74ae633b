// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage

/// Makes enumerations attribute types, which a row stores as raw values.
extension RawRepresentable where Self: QueryableAttributeType, RawValue: QueryableAttributeType {
    public typealias QueryableNativeType = RawValue.QueryableNativeType

    @inlinable
    public static var cs_rawAttributeType: AttributeType {
        KeptConversion.noting(Self.self, RawValue.cs_rawAttributeType)
    }

    public static func cs_fromQueryableNativeType(_ value: RawValue.QueryableNativeType) -> Self? {
        RawValue.cs_fromQueryableNativeType(value).flatMap(Self.init(rawValue:))
    }

    public func cs_toQueryableNativeType() -> RawValue.QueryableNativeType { rawValue.cs_toQueryableNativeType() }
}

extension QueryableAttributeType where Self: RawRepresentable, RawValue: QueryableAttributeType {
    public var _queryValue: Value {
        KeptConversion.isRaw(query: Self.self) ? rawValue._queryValue : KeptConversion.queried(self)
    }
}

/// Stores an enumeration as its raw values; an unknown raw value is not a value of the enumeration.
///
/// An enumeration with its own conformance is stored as that conformance defines (``KeptConversion``).
extension FieldStorableType where Self: RawRepresentable, RawValue: FieldStorableType {
    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        guard KeptConversion.isRaw(Self.self) else { return KeptConversion.read(row, slot, Self.self) }
        return RawValue._read(row, slot).flatMap(Self.init(rawValue:))
    }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        KeptConversion.isRaw(Self.self) ? rawValue._write(row, slot) : KeptConversion.write(self, row, slot)
    }

    public static var _isUUID: Bool { RawValue._isUUID && KeptConversion.isRaw(Self.self) }

    public var _storedValue: Value {
        KeptConversion.isRaw(Self.self) ? rawValue._storedValue : KeptConversion.stored(self)
    }

    public static func _fromStoredValue(_ value: Value) -> Self? {
        guard KeptConversion.isRaw(Self.self) else { return KeptConversion.value(value, Self.self) }
        return RawValue._fromStoredValue(value).flatMap(Self.init(rawValue:))
    }
}

/// Allows an enumeration that is only stored to have one conformance: `enum Mood: String, FieldStorableType`.
///
/// An enumeration that is not stored as its raw values declares all of these members itself, including
/// ``cs_rawAttributeType``.
extension RawRepresentable where Self: FieldStorableType, RawValue: FieldStorableType {
    public typealias FieldStoredNativeType = RawValue.FieldStoredNativeType

    @inlinable
    public static var cs_rawAttributeType: AttributeType {
        KeptConversion.noting(Self.self, RawValue.cs_rawAttributeType)
    }

    public static func cs_fromFieldStoredNativeType(_ value: RawValue.FieldStoredNativeType) -> Self {
        let known = Self(rawValue: RawValue.cs_fromFieldStoredNativeType(value))
        guard let result = known ?? StoredConversion.placeholder(Self.self) else {
            Diagnostics.abort("'\(value)' is not a value of '\(Self.self)'.")
        }
        return result
    }

    public func cs_toFieldStoredNativeType() -> Any? { rawValue.cs_toFieldStoredNativeType() }
}

/// An enumeration that clauses may also contain and queries may return.
extension RawRepresentable
where
    Self: FieldStorableType, Self: ImportableAttributeType, RawValue: FieldStorableType,
    RawValue: QueryableAttributeType, Self.FieldStoredNativeType == Self.QueryableNativeType
{
    @inlinable
    public static var cs_rawAttributeType: AttributeType {
        KeptConversion.noting(Self.self, RawValue.cs_rawAttributeType)
    }

    public static func cs_fromFieldStoredNativeType(_ value: Self.FieldStoredNativeType) -> Self { requireValue(value) }

    public func cs_toFieldStoredNativeType() -> Any? { cs_toQueryableNativeType() }
}
