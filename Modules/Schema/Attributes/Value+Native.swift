package import CofferStorage
import Foundation

/// Converts values to and from Foundation objects such as `NSNumber` and `NSNull`.
extension Value {
    /// The value as a Foundation object, as in dictionaries; nil for null.
    package var native: Any? {
        switch self {
        case .null: nil
        case .boolean(let flag): NSNumber(value: flag)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .decimal(let number): NSDecimalNumber(decimal: number)
        case .text(let text): NSString(string: text)
        case .blob(let data): NSData(data: data)
        case .date(let seconds): NSDate(timeIntervalSinceReferenceDate: seconds)
        case .object(let id): id
        }
    }

    /// Creates the value of a Foundation object; null for nil, `NSNull` and an object that has no value.
    package init(native: Any?) {
        switch native {
        case let number as NSDecimalNumber: self = .decimal(number.decimalValue)
        case let number as NSNumber: self = Self.value(of: number)
        case let text as NSString: self = .text(String(describing: text))
        case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
        case let data as NSData: self = .blob(data as Data)
        case let url as NSURL: self = .text(url.absoluteString)
        case let uuid as NSUUID: self = .text(uuid.uuidString.lowercased())
        case let id as ObjectID: self = .object(id)
        case let value as any FieldStorableType: self = value._storedValue
        case let object as any DynamicObject: self = .object(object.cs_id())
        default: self = .null
        }
    }

    /// Converts a number to a kind of column; a column without fractions cuts the fraction off.
    ///
    /// Other values, and numbers that are too large, do not change.
    func converted(to kind: ColumnKind) -> Value {
        switch (kind, self) {
        case (.integer, .double(let number)):
            Int64(exactly: number.rounded(.towardZero)).map { .integer($0) } ?? self
        case (.integer, .decimal(let number)) where number >= Decimal(Int64.min) && number <= Decimal(Int64.max):
            .integer(number.withoutFraction)
        case (.boolean, .integer(let number)): .boolean(number != 0)
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)) where number.isFinite: .decimal(Decimal(number))
        default: self
        }
    }

    private static func value(of number: NSNumber) -> Value {
        switch UInt8(number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .double(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }
}

extension Decimal {
    /// The whole part of a number in the range of 64 bits.
    fileprivate var withoutFraction: Int64 {
        var (source, whole) = (self, Decimal())
        NSDecimalRound(&whole, &source, 0, isSignMinus ? .up : .down)
        return NSDecimalNumber(decimal: whole).int64Value
    }
}
