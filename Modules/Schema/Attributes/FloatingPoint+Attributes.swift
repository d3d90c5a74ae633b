// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// An attribute type that a row stores as a double: `Double`, `Float` or `CGFloat`.
public protocol _FloatingPointAttribute: BinaryFloatingPoint, _PlainAttribute where QueryableNativeType == NSNumber {}

extension _FloatingPointAttribute {
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Self? { Self(value.doubleValue) }
    public var _storedValue: Value { .double(Double(self)) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Self? { row.isNull(slot) ? nil : Self(row.double(slot)) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(double: Double(self), slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> Self? {
        switch value {
        case .double(let number): Self(number)
        case .integer(let number): Self(number)
        default: nil
        }
    }
}

extension Double: _FloatingPointAttribute {
    public static var cs_rawAttributeType: AttributeType { .doubleAttributeType }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension Float: _FloatingPointAttribute {
    public static var cs_rawAttributeType: AttributeType { .floatAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Float? { value.floatValue }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
}

extension CGFloat: _FloatingPointAttribute {
    public static var cs_rawAttributeType: AttributeType { .doubleAttributeType }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: Double(self)) }
}
