// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `Decimal` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Decimal: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .decimalAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Decimal? { value.decimalValue }
    public func cs_toQueryableNativeType() -> NSNumber { NSDecimalNumber(decimal: self) }
    public var _storedValue: Value { .decimal(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Decimal? { row.isNull(slot) ? nil : row.decimal(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(decimal: self, slot)
    }

    public static func _fromStoredValue(_ value: Value) -> Decimal? {
        if case .decimal(let stored) = value { stored } else { nil }
    }
}
