// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `URL` an attribute type, which a row stores as a string.
extension URL: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> URL? { URL(string: String(describing: value)) }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: absoluteString) }
    public var _storedValue: Value { .text(absoluteString) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> URL? { row.isNull(slot) ? nil : URL(string: row.text(slot)) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(text: absoluteString, slot)
    }

    public static func _fromStoredValue(_ value: Value) -> URL? {
        if case .text(let stored) = value { URL(string: stored) } else { nil }
    }
}
