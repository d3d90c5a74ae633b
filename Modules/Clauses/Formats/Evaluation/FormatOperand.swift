import CofferEvaluation
import CofferStorage

/// The value of an expression of a format string: one value, a list or a dictionary.
enum FormatOperand {
    case value(Value)
    case list([FormatOperand])
    case keyed([String: FormatOperand])

    static let null = FormatOperand.value(.null)

    /// The members of a collection, or the values of a dictionary; nil for anything else.
    var members: [FormatOperand]? {
        switch self {
        case .value: nil
        case .list(let members): members
        case .keyed(let entries): entries.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// The members of a collection; null has no members.
    func members(for user: String, _ place: String = "") throws(FormatEvaluationError) -> [FormatOperand] {
        if isNull { return [] }
        guard let members else { throw FormatEvaluationError("\(user) needs a collection\(place), not \(kind).") }
        return members
    }

    var isNull: Bool {
        if case .value(.null) = self { true } else { false }
    }

    /// A description of the value for an error.
    var kind: String {
        switch self {
        case .list: "a collection"
        case .keyed: "an object"
        case .value(let value):
            switch value.kind {
            case nil: "nil"
            case .boolean, .integer, .double, .decimal: "a number"
            case .text: "a string"
            case .blob: "binary data"
            case .date: "a date"
            case .reference: "the id of an object"
            }
        }
    }

    func isEqual(to other: FormatOperand) -> Bool {
        switch (self, other) {
        case (.value(let a), .value(let b)):
            ValueOrdering.isEqual(a, b)
        case (.list(let a), .list(let b)):
            a.count == b.count && zip(a, b).allSatisfy { $0.isEqual(to: $1) }
        case (.keyed(let a), .keyed(let b)):
            a.count == b.count && a.allSatisfy { key, value in b[key].map { value.isEqual(to: $0) } ?? false }
        default: false
        }
    }
}
