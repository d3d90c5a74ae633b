// What these witnesses mean is documented by the protocols.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import CofferStorage
public import Foundation

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
