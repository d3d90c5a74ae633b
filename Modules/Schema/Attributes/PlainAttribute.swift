// The protocols document the meaning of these witnesses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

/// A value type, such as `String` and `Date`, with the same values in fields and in clauses.
public protocol _PlainAttribute: ImportableAttributeType, FieldStorableType
where FieldStoredNativeType == QueryableNativeType {}

extension _PlainAttribute {
    /// The value in conditions, which is the stored value.
    public var _queryValue: Value { _storedValue }
}

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

/// Makes `Data` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Data: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .binaryDataAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSData) -> Data? { Data(referencing: value) }
    public func cs_toQueryableNativeType() -> NSData { NSData(data: self) }
    public var _storedValue: Value { .blob(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Data? { row.isNull(slot) ? nil : row.blob(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool { row.write(blob: self, slot) }

    public static func _fromStoredValue(_ value: Value) -> Data? {
        if case .blob(let stored) = value { stored } else { nil }
    }
}

/// Makes `Date` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Date: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .dateAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSDate) -> Date? {
        Date(timeIntervalSinceReferenceDate: value.timeIntervalSinceReferenceDate)
    }
    public func cs_toQueryableNativeType() -> NSDate {
        NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate)
    }
    public var _storedValue: Value { .date(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Date? {
        row.isNull(slot) ? nil : Date(timeIntervalSinceReferenceDate: row.double(slot))
    }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool {
        row.write(double: timeIntervalSinceReferenceDate, slot)
        return true
    }

    public static func _fromStoredValue(_ value: Value) -> Date? {
        if case .date(let seconds) = value { Date(timeIntervalSinceReferenceDate: seconds) } else { nil }
    }
}

/// Makes `Decimal` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension Decimal: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .decimalAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSNumber) -> Decimal? { value.decimalValue }
    public func cs_toQueryableNativeType() -> NSNumber { NSDecimalNumber(decimal: self) }
    public var _storedValue: Value { .decimal(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> Decimal? { row.isNull(slot) ? nil : row.decimal(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool { row.write(decimal: self, slot) }

    public static func _fromStoredValue(_ value: Value) -> Decimal? {
        if case .decimal(let stored) = value { stored } else { nil }
    }
}

/// Makes `String` an attribute type: defines its type in the model, and reads and writes its values in a row.
extension String: _PlainAttribute {
    public static var cs_rawAttributeType: AttributeType { .stringAttributeType }
    public static func cs_fromQueryableNativeType(_ value: NSString) -> String? { String(describing: value) }
    public func cs_toQueryableNativeType() -> NSString { NSString(string: self) }
    public var _storedValue: Value { .text(self) }

    @inlinable
    public static func _read(_ row: Row, _ slot: Int) -> String? { row.isNull(slot) ? nil : row.text(slot) }

    @inlinable
    public func _write(_ row: borrowing RowBuilder, _ slot: Int) -> Bool { row.write(text: self, slot) }

    public static func _fromStoredValue(_ value: Value) -> String? {
        if case .text(let stored) = value { stored } else { nil }
    }
}

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
    /// The string in lower case, which is created without another string in upper case.
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
