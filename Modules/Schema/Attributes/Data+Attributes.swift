// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `Data` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Data: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .binaryDataAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSData) -> Data? { Data(referencing: value) }
    public func cs_toQueryableNativeType() -> NSData { NSData(data: self) }
    public var _storedValue: Value { .blob(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Data? { row.isNull(slot) ? nil : row.blob(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(blob: self, slot)
    }

    public static func _fromStoredValue(_ value: Value) -> Data? {
        if case .blob(let stored) = value { stored } else { nil }
    }
}
