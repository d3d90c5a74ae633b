// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `Bool` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Bool: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .booleanAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Bool? { value.doubleValue != 0 }
    public func cs_toQueryableNativeType() -> NSNumber { NSNumber(value: self) }
    public var _storedValue: Value { .boolean(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Bool? { row.isNull(slot) ? nil : row.boolean(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(boolean: self, slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> Bool? {
        if case .boolean(let stored) = value { stored } else { nil }
    }
}
