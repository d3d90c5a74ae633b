// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes integer types such as `Int` and `Int16` attribute types, which a row stores as 64-bit integers.
///
/// A stored number outside the range of the type is not a value of the type.
extension FieldStorableType where Self: FixedWidthInteger {
    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? {
        row.isNull(slot) ? nil : Self(exactly: row.integer(slot))
    }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(integer: Int64(self), slot)
        return true
    }

    public var _storedValue: Value { .integer(Int64(self)) }

    public static func _fromStoredValue(_ value: Value) -> Self? {
        if case .integer(let number) = value { Self(exactly: number) } else { nil }
    }
}

extension QueryableAttributeType where Self: FixedWidthInteger {
    public var _queryValue: Value { .integer(Int64(self)) }
}

/// An integer type that a program can store without a conformance of its own.
public protocol _IntegerAttribute: FixedWidthInteger, ImportableAttributeType, FieldStorableType
where QueryableNativeType == NSNumber, FieldStoredNativeType == NSNumber {}

extension _IntegerAttribute {
    /// Returns the number without its fraction; nil if it is outside the range of the type.
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Self? {
        let number = value.doubleValue
        return Self(exactly: value.int64Value)
            ?? (number.isFinite ? Self(exactly: number.rounded(.towardZero)) : nil)
    }

    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: Int64(self)) }
}

extension Int: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
}

extension Int8: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
}

extension Int16: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
}

extension Int32: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer32AttributeType }
}

extension Int64: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
}

extension UInt8: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
}

extension UInt16: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer32AttributeType }
}

extension UInt32: _IntegerAttribute {
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
}
