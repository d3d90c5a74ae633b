import CofferStorage
import CofferStorageTools

/// Prints a syntax tree as a format string; parsing this format string returns an equal tree.
struct FormatPrinter {
    var text = ""

    mutating func append(_ predicate: PredicateFormat) {
        switch predicate {
        case .constant(let holds): text += holds ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison): append(comparison)
        case .and(let parts): append(parts, by: " AND ", whenEmpty: true)
        case .or(let parts): append(parts, by: " OR ", whenEmpty: false)
        case .not(let part):
            text += "NOT "
            if case .not = part { append(part) } else { appendMember(part) }
        }
    }

    private mutating func append(_ parts: [PredicateFormat], by separator: String, whenEmpty: Bool) {
        guard !parts.isEmpty else { return append(.constant(whenEmpty)) }
        for (index, part) in parts.enumerated() {
            if index > 0 { text += separator }
            appendMember(part)
        }
    }

    private mutating func appendMember(_ part: PredicateFormat) {
        switch part {
        case .and, .or, .not: enclosed { $0.append(part) }
        case .constant, .comparison: append(part)
        }
    }

    private mutating func append(_ comparison: PredicateFormat.Comparison) {
        if comparison.quantifier != .one { text += comparison.quantifier.rawValue.uppercased() + " " }
        append(comparison.left)
        text += " \(comparison.operator.symbol)\(comparison.options) "
        append(comparison.right)
    }

    mutating func enclosed(_ body: (inout FormatPrinter) -> Void) {
        text += "("
        body(&self)
        text += ")"
    }
}
