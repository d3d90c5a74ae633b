import CofferEvaluation
import CofferStorage

/// Converts a `CAST` of a literal to a constant of a type without literals, such as a date.
///
/// `CAST(0, "NSDate")` is a date, both in a format string and as the notation of an argument.
enum FormatCast {
    static let dictionary = "NSDictionary"

    /// Returns the constant that the cast of a literal represents; nil if there is no such constant.
    static func constant(_ literal: ExpressionFormat, _ type: String) -> ExpressionFormat? {
        switch literal {
        case .collection(let pairs) where type == dictionary: entries(pairs)
        case .constant(let constant): ValueCast(rawValue: type)?.constant(constant.value).map { .constant($0) }
        default: nil
        }
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
}
