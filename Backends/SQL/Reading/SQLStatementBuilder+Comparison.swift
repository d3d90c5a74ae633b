import CofferEvaluation
import CofferStorage
import Foundation

/// Appends comparisons and `IN` lists to a statement, for values of any kinds.
///
/// ``ValueOrdering`` defines the result of a comparison.
extension SQLStatementBuilder {
    typealias Comparison = RowPredicate.Comparison

    mutating func appendComparison(
        _ left: RowExpression, _ comparison: Comparison, _ right: RowExpression, in scope: Scope
    ) {
        switch (left, right) {
        case (.value(let a), .value(let b)): append(comparison.holds(a, b) ? "TRUE" : "FALSE")
        case (.value(let a), _):
            appendComparison(kind(of: right), { $0.append(right, in: scope) }, comparison.mirrored, a)
        case (_, .value(let b)):
            appendComparison(kind(of: left), { $0.append(left, in: scope) }, comparison, b)
        default:
            appendComparison(
                kind(of: left), { $0.append(left, in: scope) }, comparison,
                kind(of: right), { $0.append(right, in: scope) }
            )
        }
    }

    /// Appends the comparison of an operand with a constant.
    mutating func appendComparison(
        _ kind: ColumnKind?, _ operand: (inout SQLStatementBuilder) -> Void, _ comparison: Comparison, _ value: Value
    ) {
        if value.isNull {
            guard comparison == .equal || comparison == .notEqual else { return append("FALSE") }
            operand(&self)
            return append(comparison == .equal ? " IS NULL" : " IS NOT NULL")
        }
        switch kind.map({ SQLLiteral(value, for: $0) }) ?? .incomparable {
        case .incomparable: append(comparison == .notEqual ? "TRUE" : "FALSE")
        case .same(let same):
            operand(&self)
            append(comparison == .notEqual ? " \(dialect.isNotSame) " : " \(comparison.symbol) ")
            bind(same)
        case .number(let number, let other):
            if comparison == .notEqual { append("(") }
            let left = SQLOperand(rendered(operand), kind ?? other)
            let right = SQLOperand(rendered { $0.bind(number) }, other)
            appendMixed(left, comparison == .notEqual ? .equal : comparison, right)
            if comparison == .notEqual { append(") IS NOT TRUE") }
        }
    }

    /// Appends the comparison of two operands that are not constants.
    private mutating func appendComparison(
        _ leftKind: ColumnKind?, _ left: (inout SQLStatementBuilder) -> Void, _ comparison: Comparison,
        _ rightKind: ColumnKind?, _ right: (inout SQLStatementBuilder) -> Void
    ) {
        func appendBothNull(_ builder: inout SQLStatementBuilder) {
            builder.parenthesized { builder in
                left(&builder)
                builder.append(" IS NULL AND ")
                right(&builder)
                builder.append(" IS NULL")
            }
        }
        guard let leftKind, let rightKind, leftKind.family == rightKind.family else {
            guard comparison == .equal || comparison == .notEqual else { return append("FALSE") }
            if comparison == .notEqual { append("NOT ") }
            return appendBothNull(&self)
        }
        if leftKind.isKept(like: rightKind) {
            left(&self)
            switch comparison {
            case .equal: append(" \(dialect.isSame) ")
            case .notEqual: append(" \(dialect.isNotSame) ")
            default: append(" \(comparison.symbol) ")
            }
            return right(&self)
        }
        let (a, b) = (SQLOperand(rendered(left), leftKind), SQLOperand(rendered(right), rightKind))
        guard comparison == .equal || comparison == .notEqual else { return appendMixed(a, comparison, b) }
        parenthesized { builder in
            builder.appendMixed(a, .equal, b)
            builder.append(" OR ")
            appendBothNull(&builder)
        }
        if comparison == .notEqual { append(" IS NOT TRUE") }
    }

    private mutating func appendMixed(_ left: SQLOperand, _ comparison: Comparison, _ right: SQLOperand) {
        append(
            dialect.mixedComparison(left, comparison.symbol, right),
            orRefuse: "\(left.kind ?? .integer) \(comparison.symbol) \(right.kind ?? .integer)"
        )
    }

    mutating func appendIsIn(_ expression: RowExpression, _ values: [Value], in scope: Scope) {
        if case .value(let constant) = expression {
            let holds = values.contains { ValueOrdering.compare(constant, $0) == .orderedSame }
            return append(holds ? "TRUE" : "FALSE")
        }
        guard let kind = kind(of: expression) else { return append("FALSE") }
        var literals: [Value] = []
        var others: [(Value, ColumnKind)] = []
        for value in values {
            switch SQLLiteral(value, for: kind) {
            case .same(let same): literals.append(same)
            // In this exact comparison, only a double and a decimal can be equal.
            case .number(let number, let other):
                if kind == .decimal || other == .decimal { others.append((number, other)) }
            case .incomparable: break
            }
        }
        guard !literals.isEmpty || !others.isEmpty else { return append("FALSE") }
        if !others.isEmpty { append("(") }
        if !literals.isEmpty {
            append(expression, in: scope)
            append(" IN (")
            appendValues(literals, kind)
            append(")")
            if !others.isEmpty { append(" OR ") }
        }
        appendList(others, by: " OR ") { builder, other in
            let left = SQLOperand(builder.rendered { $0.append(expression, in: scope) }, kind)
            let right = SQLOperand(builder.rendered { $0.bind(other.0) }, other.1)
            builder.appendMixed(left, .equal, right)
        }
        if !others.isEmpty { append(")") }
    }

    /// Appends the placeholders of a list.
    ///
    /// The number of placeholders is padded, so that lists of about the same length share a statement.
    mutating func appendValues(_ values: [Value], _ kind: ColumnKind) {
        if values.count > dialect.listLimit, let list = dialect.longList(values, kind: kind) {
            append(list.before)
            bind(list.binding)
            return append(list.after)
        }
        appendList(0..<SQLStatement.paddedCount(values.count)) { $0.bind(values[min($1, values.count - 1)]) }
    }
}
