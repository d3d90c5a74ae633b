// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes integer types such as `Int` and `Int16` attribute types, which a row stores as 64-bit integers.
///
/// A stored number beyond the type's range is no value of the type.
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

extension NSNumber {
    /// The number without its fraction, when it is in the type's range.
    fileprivate func whole<I: FixedWidthInteger>(_ type: I.Type) -> I? {
        I(exactly: int64Value) ?? (doubleValue.isFinite ? I(exactly: doubleValue.rounded(.towardZero)) : nil)
    }
}

extension Int: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Int? { value.whole(Int.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension Int8: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Int8? { value.whole(Int8.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension Int16: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Int16? { value.whole(Int16.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension Int32: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer32AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Int32? { value.whole(Int32.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension Int64: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Int64? { value.whole(Int64.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension UInt8: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer16AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> UInt8? { value.whole(UInt8.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension UInt16: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer32AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> UInt16? { value.whole(UInt16.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension UInt32: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .integer64AttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> UInt32? { value.whole(UInt32.self) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}
