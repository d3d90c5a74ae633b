import CofferStorageTools

/// Describes a condition as a format string that contains its arguments.
extension PredicateFormat {
    /// The condition as a format string that contains its arguments; parsing it returns an equal condition.
    ///
    /// A key with letters that format strings do not allow is written as `#"größe"`. Only this parser reads such a key.
    /// A constant without a literal is written as the cast of a literal.
    public var description: String {
        switch self {
        case .constant(let holds): holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): comparison.text
        case .and(let parts): Self.text(parts, " AND ") ?? "TRUEPREDICATE"
        case .or(let parts): Self.text(parts, " OR ") ?? "FALSEPREDICATE"
        case .not(.not(let part)): "NOT \(PredicateFormat.not(part))"
        case .not(let part): "NOT \(part.member)"
        }
    }

    /// The parts with an operator between them; nil without parts.
    private static func text(_ parts: [PredicateFormat], _ separator: String) -> String? {
        parts.isEmpty ? nil : parts.map(\.member).joined(separator: separator)
    }

    /// The condition as a part of another condition.
    private var member: String {
        switch self {
        case .and, .or, .not: "(\(self))"
        case .constant, .comparison: description
        }
    }
}

extension PredicateFormat.Comparison {
    fileprivate var text: String {
        let prefix = quantifier == .one ? "" : quantifier.rawValue.uppercased() + " "
        return "\(prefix)\(left) \(`operator`.symbol)\(options) \(right)"
    }
}
