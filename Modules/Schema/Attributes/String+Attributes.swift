// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `String` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension String: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> String? { String(describing: value) }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: self) }
    public var _storedValue: Value { .text(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> String? { row.isNull(slot) ? nil : row.text(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(text: self, slot)
    }

    public static func _fromStoredValue(_ value: Value) -> String? {
        if case .text(let stored) = value { stored } else { nil }
    }
}
