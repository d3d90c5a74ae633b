// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `Double`, `Float` and `CGFloat` attribute types, which a row stores as doubles.
extension Double: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .doubleAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Double? { value.doubleValue }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
    public var _queryValue: Value { .double(Double(self)) }
    public var _storedValue: Value { .double(Double(self)) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Double? { row.isNull(slot) ? nil : Double(row.double(slot)) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(double: Double(self), slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> Double? {
        switch value {
        case .double(let number): Double(number)
        case .integer(let number): Double(number)
        default: nil
        }
    }
}

extension Float: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .floatAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Float? { value.floatValue }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
    public var _queryValue: Value { .double(Double(self)) }
    public var _storedValue: Value { .double(Double(self)) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Float? { row.isNull(slot) ? nil : Float(row.double(slot)) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(double: Double(self), slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> Float? {
        switch value {
        case .double(let number): Float(number)
        case .integer(let number): Float(number)
        default: nil
        }
    }
}

extension CGFloat: ImportableAttributeType, FieldStorableType {
    public typealias QueryableNativeType = NSNumber
    public typealias FieldStoredNativeType = NSNumber
    public static var cs_rawAttributeType: AttributeType { .doubleAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> CGFloat? { CGFloat(value.doubleValue) }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: Double(self)) }
    public var _queryValue: Value { .double(Double(self)) }
    public var _storedValue: Value { .double(Double(self)) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> CGFloat? { row.isNull(slot) ? nil : CGFloat(row.double(slot)) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(double: Double(self), slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> CGFloat? {
        switch value {
        case .double(let number): CGFloat(number)
        case .integer(let number): CGFloat(number)
        default: nil
        }
    }
}
