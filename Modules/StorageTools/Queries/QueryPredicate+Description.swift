import CofferStorage

/// Describes conditions and expressions in the notation of format strings.
extension QueryPredicate {
    /// The predicate in the notation of format strings: `name == "Ann" AND pets.@count > 2`.
    public var description: String {
        switch self {
        case .constant(let flag): flag ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.description
        case .and(let parts):
            parts.isEmpty ? "TRUEPREDICATE" : parts.map { $0.part(of: "AND") }.joined(separator: " AND ")
        case .or(let parts):
            parts.isEmpty ? "FALSEPREDICATE" : parts.map { $0.part(of: "OR") }.joined(separator: " OR ")
        case .not(let part): "NOT (\(part))"
        case .invalid: "an invalid condition"
        }
    }

    private func part(of word: String) -> String {
        switch self {
        case .and(let parts) where word != "AND" && parts.count > 1: "(\(self))"
        case .or(let parts) where word != "OR" && parts.count > 1: "(\(self))"
        default: description
        }
    }
}

extension QueryComparison {
    /// The comparison in the notation of format strings.
    public var description: String {
        let prefix = quantifier == .one ? "" : quantifier.rawValue.uppercased() + " "
        return "\(prefix)\(left) \(relation.symbol)\(options) \(right)"
    }
}

extension QueryComparison.Relation {
    /// The relation in the notation of format strings.
    public var symbol: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        case .isIn: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        }
    }
}

extension QueryExpression {
    /// The expression in the notation of format strings.
    public var description: String {
        switch self {
        case .value(let value): value.description
        case .values(let values): "{\(values.map(\.description).joined(separator: ", "))}"
        case .keyPath(let path): path
        case .evaluatedObject: "SELF"
        case .list(let members): "{\(members.map(\.description).joined(separator: ", "))}"
        case .function(let function, let arguments):
            "\(function)(\(arguments.map(\.description).joined(separator: ", ")))"
        case .conditional(let condition, let first, let second): "TERNARY(\(condition), \(first), \(second))"
        case .aggregate(let aggregate, let value, let path, let condition):
            "\(aggregate)(\(value) of \(path) where \(condition))"
        case .outer(let expression): "outer \(expression)"
        case .now: "now()"
        }
    }
}
