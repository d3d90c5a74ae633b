// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// Makes `UUID` an attribute type, which a row stores as a string in lower case.
extension UUID: _PlainAttribute {
    public static var _isUUID: Bool { true }
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> UUID? {
        UUID(uuidString: String(describing: value))
    }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: uuidString.lowercased()) }
    public var _storedValue: Value { .text(lowercaseString) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> UUID? {
        row.isNull(slot) ? nil : UUID(uuidString: row.text(slot))
    }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(text: uuidString.lowercased(), slot)
    }

    public static func _fromStoredValue(_ value: Value) -> UUID? {
        if case .text(let stored) = value { UUID(uuidString: stored) } else { nil }
    }
}

extension UUID {
    /// The string with lowercase letters, without another string with capitals.
    private var lowercaseString: String {
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { text in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if [4, 6, 8, 10].contains(index) {
                        text[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    for digit in [byte >> 4, byte & 15] {
                        text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
                        place += 1
                    }
                }
                return place
            }
        }
    }
}
