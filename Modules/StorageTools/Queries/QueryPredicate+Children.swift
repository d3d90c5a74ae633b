import CofferStorage

/// Visits the conditions and expressions directly inside a condition or an expression.
package protocol QueryTree {
    /// Calls the closures with each condition and each expression directly inside.
    func forEachChild<Failure>(
        _ predicate: (QueryPredicate) throws(Failure) -> Void, _ expression: (QueryExpression) throws(Failure) -> Void
    ) throws(Failure)
}

extension QueryPredicate: QueryTree {
    /// Calls the closures with each condition and each expression directly inside the condition.
    ///
    /// The parts of an `and` in an `and` are the parts of the outer one. The same is true of `or`.
    package func forEachChild<Failure>(
        _ predicate: (QueryPredicate) throws(Failure) -> Void, _ expression: (QueryExpression) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .constant, .invalid: break
        case .not(let part): try predicate(part)
        case .and, .or: for part in flatParts { try predicate(part) }
        case .comparison(let comparison):
            try expression(comparison.left)
            try expression(comparison.right)
        }
    }

    /// The parts of an `and` or `or`; for other conditions, the condition itself.
    ///
    /// Nested conditions of the same kind are replaced by their parts.
    package var flatParts: [QueryPredicate] {
        var flat: [QueryPredicate] = []
        var rest = [self]
        while let next = rest.popLast() {
            switch (self, next) {
            case (.and, .and(let parts)), (.or, .or(let parts)): rest += parts.reversed()
            default: flat.append(next)
            }
        }
        return flat
    }
}

extension QueryExpression: QueryTree {
    /// Calls the closures with each condition and each expression directly inside the expression.
    package func forEachChild<Failure>(
        _ predicate: (QueryPredicate) throws(Failure) -> Void, _ expression: (QueryExpression) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .value, .values, .keyPath, .evaluatedObject, .now: break
        case .outer(let inner): try expression(inner)
        case .list(let parts), .function(_, let parts): for part in parts { try expression(part) }
        case .conditional(let condition, let first, let second):
            try predicate(condition)
            try expression(first)
            try expression(second)
        case .aggregate(_, let value, _, let condition):
            try expression(value)
            try predicate(condition)
        }
    }
}
