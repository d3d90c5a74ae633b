import CofferEvaluation
import CofferStorage
import Foundation

/// Converts a constant for a comparison with an expression of another kind, such as a double with an integer.
enum SQLLiteral {
    /// A value of the expression's own kind that equals the constant exactly.
    case same(Value)
    /// A number that has no exact equal of the expression's kind, or none that is easy to find.
    case number(Value, ColumnKind)
    /// A value that is never equal to, less than or greater than a value of the expression.
    case incomparable

    init(_ value: Value, for kind: ColumnKind) {
        switch (kind, value) {
        case (.text, .text), (.blob, .blob), (.date, .date), (.boolean, .boolean), (.double, .double),
            (.decimal, .decimal), (.integer, .integer), (.reference, .integer):
            self = .same(value)
        case (.integer, _), (.reference, _): self = Self.make(value) { $0.exactInteger.map(Value.integer) }
        case (.double, _): self = Self.make(value) { $0.exactDouble.map(Value.double) }
        case (.decimal, _): self = Self.make(value) { $0.exactDecimal.map(Value.decimal) }
        case (.boolean, _):
            self = Self.make(value) { $0.exactInteger.flatMap { $0 == 0 || $0 == 1 ? .boolean($0 == 1) : nil } }
        default: self = .incomparable
        }
    }

    private static func make(_ value: Value, _ exact: (Number) -> Value?) -> SQLLiteral {
        guard let kind = value.kind, let number = Number(value) else { return .incomparable }
        if let exact = exact(number) { return .same(exact) }
        return .number(value, kind)
    }
}

extension ColumnKind {
    /// A group of kinds whose values can be compared; the keys of objects belong to the numbers.
    enum Family { case number, date, text, blob }

    var family: Family {
        switch self {
        case .integer, .double, .decimal, .boolean, .reference: .number
        case .date: .date
        case .text: .text
        case .blob: .blob
        }
    }

    /// Whether the database stores values of both kinds in the same way.
    func isKept(like other: ColumnKind) -> Bool {
        self == other || (self == .integer && other == .reference) || (self == .reference && other == .integer)
    }
}

extension RowPredicate.Comparison {
    var symbol: String {
        switch self {
        case .equal: "="
        case .notEqual: "<>"
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}
