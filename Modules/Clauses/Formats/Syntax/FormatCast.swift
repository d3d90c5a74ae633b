import CofferStorage
import Foundation

/// How a constant that has no literal of its own is written: as the cast of one that has.
///
/// `CAST(0, "NSDate")` is a date, whether it stood in a format string or was an argument.
enum FormatCast {
    static let date = "NSDate"
    static let decimal = "NSDecimalNumber"
    static let number = "NSNumber"
    static let text = "NSString"
    static let uuid = "NSUUID"
    static let data = "NSData"
    static let object = "NSManagedObjectID"
    static let dictionary = "NSDictionary"

    /// The constant that the cast of a literal is; nil when it is none.
    static func constant(_ literal: ExpressionFormat, _ type: String) -> ExpressionFormat? {
        switch (literal, type) {
        case (.collection(let pairs), dictionary): entries(pairs)
        case (.constant(let constant), _): value(constant.value, type).map { .constant($0) }
        default: nil
        }
    }

    private static func value(_ literal: Value, _ type: String) -> Value? {
        switch (type, literal) {
        case (date, .boolean(let flag)):
            return .date(flag ? 1 : 0)
        case (date, .integer(let seconds)):
            return .date(Double(seconds))
        case (date, .double(let seconds)):
            return seconds.isNaN ? nil : .date(seconds)
        case (date, .decimal(let seconds)):
            return Double("\(seconds)").flatMap { $0.isNaN ? nil : .date($0) }
        case (decimal, .text(let text)):
            guard let number = Decimal(string: text), "\(number)" == text else { return nil }
            return .decimal(number)
        case (number, .text("inf")): return .double(.infinity)
        case (number, .text("-inf")): return .double(-.infinity)
        case (data, .text(let text)):
            return Data(base64Encoded: text).map { .blob($0) }
        case (object, .text(let text)):
            return URL(string: text).flatMap(ObjectID.init(uriRepresentation:)).map { .object($0) }
        default: return nil
        }
    }

    /// The number that all of a text is.
    private static func exact(_ text: String) -> Decimal? {
        let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        return isNumber ? Decimal(string: text) : nil
    }

    private static func entries(_ pairs: [ExpressionFormat]) -> ExpressionFormat? {
        var entries: [String: ExpressionFormat] = [:]
        for pair in pairs {
            guard
                case .collection(let members) = pair, members.count == 2, case .constant(let key) = members[0],
                case .text(let name) = key.value, entries.updateValue(members[1], forKey: name) == nil
            else { return nil }
        }
        return .dictionary(entries)
    }

    /// What the cast of a value is when it is evaluated; nil when there is no such cast.
    static func result(_ value: Value, _ type: String) -> Value? {
        switch (type, value) {
        case (number, .boolean), (number, .integer), (number, .double), (number, .decimal): value
        case (number, .date(let seconds)): .double(seconds)
        case (number, .text(let text)):
            Int64(text).map { .integer($0) } ?? Double(text).flatMap { $0.isNaN ? nil : .double($0) }
        case (decimal, .text(let text)): exact(text).map { .decimal($0) }
        case (decimal, .decimal): value
        case (decimal, .boolean(let flag)): .decimal(flag ? 1 : 0)
        case (decimal, .integer(let number)): .decimal(Decimal(number))
        case (decimal, .double(let number)): exact("\(number)").map { .decimal($0) }
        case (date, .date): value
        case (text, .text): value
        case (text, .boolean), (text, .integer), (text, .double), (text, .decimal): .text(value.description)
        case (uuid, .text(let text)): UUID(uuidString: text).map { .text($0.uuidString.lowercased()) }
        default: self.value(value, type)
        }
    }
}
