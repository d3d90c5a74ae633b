import CofferEvaluation

/// Describes a value as a format string: functions, paths, lists, and the parentheses that operators need.
extension ExpressionFormat {
    /// The value as a format string; see ``PredicateFormat/description``.
    public var description: String {
        switch self {
        case .constant(let constant): constant.value.formatLiteral
        case .evaluatedObject: "SELF"
        case .variable(let name): "$\(name)"
        case .assignment(let name, let value): "($\(name) := \(value))"
        case .path(let base, let keys): Self.path(base, keys)
        case .index(let base, let index): "\(base.base)[\(index.text)]"
        case .collection(let members): "{\(Self.list(members))}"
        case .dictionary(let entries): Self.dictionary(entries)
        case .unary(let symbol, let operand):
            // A sign before a bare number belongs to the number.
            symbol.rawValue
                + operand.enclosed(if: operand.precedence < .unary || (symbol == .negate && operand.isNumber))
        case .binary(let symbol, let left, let right):
            left.enclosed(if: left.precedence < symbol.precedence) + " \(symbol.rawValue) "
                + right.enclosed(if: right.precedence <= symbol.precedence)
        case .function(let name, let arguments): "\(name)(\(Self.list(arguments)))"
        case .call(let receiver, let selector, let arguments):
            "FUNCTION(\(receiver), \(selector.formatQuoted)\(arguments.map { " , \($0)" }.joined()))"
        case .subquery(let collection, let variable, let condition):
            "SUBQUERY(\(collection), $\(variable), \(condition))"
        case .conditional(let condition, let first, let second): "TERNARY(\(condition), \(first), \(second))"
        case .cast(let value, let type):
            "CAST(\(value.enclosed(if: FormatCast.constant(value, type) != nil)), \(type.formatQuoted))"
        case .fetch(let request, let context, let countOnly): "FETCH(\(request), \(context), \(countOnly))"
        }
    }

    /// The precedence of the outermost operator.
    private var precedence: FormatParser.Precedence {
        if case .binary(let symbol, _, _) = self { symbol.precedence } else { .unary }
    }

    private var isNumber: Bool {
        if case .constant(let constant) = self { Number(constant.value) != nil } else { false }
    }

    private func enclosed(if needed: Bool) -> String { needed ? "(\(self))" : description }

    /// The value before keys or an index.
    private var base: String {
        switch self {
        case .binary, .unary: "(\(self))"
        default: enclosed(if: isNumber)
        }
    }

    private static func path(_ base: ExpressionFormat, _ keys: [String]) -> String {
        let start: [String] =
            switch base {
            case .evaluatedObject: []
            case .path: ["(\(base))"]
            default: [base.base]
            }
        return (start + keys.map(\.formatKey)).joined(separator: ".")
    }

    private static func list(_ expressions: [ExpressionFormat]) -> String {
        expressions.map(\.description).joined(separator: ", ")
    }

    private static func dictionary(_ entries: [String: ExpressionFormat]) -> String {
        let pairs = entries.sorted { $0.key < $1.key }.map { key, value in "{\(key.formatQuoted), \(value)}" }
        return "CAST({\(pairs.joined(separator: ", "))}, \"\(FormatCast.dictionary)\")"
    }
}

extension ExpressionFormat.Index {
    fileprivate var text: String {
        switch self {
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .at(let position): position.description
        }
    }
}
