package import CofferStorage
import Foundation

/// Converts values to other types for `CAST` in format strings; lists the type names that `CAST` accepts.
///
/// The raw value is the name of a class.
package enum ValueCast: String, Sendable {
    case date = "NSDate"
    case decimal = "NSDecimalNumber"
    case number = "NSNumber"
    case text = "NSString"
    case uuid = "NSUUID"
    case data = "NSData"
    case object = "NSManagedObjectID"

    /// Returns the value converted to the type with a name, and null for null; nil if there is no such conversion.
    package static func result(_ value: Value, _ type: String) -> Value? {
        value.isNull ? .null : ValueCast(rawValue: type)?.result(value)
    }

    private func result(_ value: Value) -> Value? {
        switch (self, value) {
        case (.number, .boolean), (.number, .integer), (.number, .double), (.number, .decimal): value
        case (.number, .date(let seconds)): .double(seconds)
        case (.number, .text(let text)):
            Int64(text).map { .integer($0) } ?? Double(text).flatMap { $0.isNaN ? nil : .double($0) }
        case (.decimal, .text(let text)): Self.exact(text).map { .decimal($0) }
        case (.decimal, .decimal): value
        case (.decimal, .boolean(let flag)): .decimal(flag ? 1 : 0)
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Self.exact("\(number)").map { .decimal($0) }
        case (.date, .date): value
        case (.text, .text): value
        case (.text, .boolean), (.text, .integer), (.text, .double), (.text, .decimal): .text(value.description)
        case (.uuid, .text(let text)): UUID(uuidString: text).map { .text($0.uuidString.lowercased()) }
        default: constant(value)
        }
    }

    /// Returns the constant that the cast of a literal represents; nil if the constant has its own literal.
    package func constant(_ literal: Value) -> Value? {
        switch (self, literal) {
        case (.date, .boolean(let flag)): return .date(flag ? 1 : 0)
        case (.date, .integer(let seconds)): return .date(Double(seconds))
        case (.date, .double(let seconds)): return seconds.isNaN ? nil : .date(seconds)
        case (.date, .decimal(let seconds)): return Double("\(seconds)").flatMap { $0.isNaN ? nil : .date($0) }
        case (.decimal, .text(let text)):
            guard let number = Decimal(string: text), "\(number)" == text else { return nil }
            return .decimal(number)
        case (.number, .text("inf")): return .double(.infinity)
        case (.number, .text("-inf")): return .double(-.infinity)
        case (.data, .text(let text)): return Data(base64Encoded: text).map { .blob($0) }
        case (.object, .text(let text)):
            return URL(string: text).flatMap(ObjectID.init(uriRepresentation:)).map { .object($0) }
        default: return nil
        }
    }

    /// The number in a string, if the whole string is a number.
    private static func exact(_ text: String) -> Decimal? {
        let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        return isNumber ? Decimal(string: text) : nil
    }
}
