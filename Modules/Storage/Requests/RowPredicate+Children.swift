/// Visits the conditions and expressions inside a condition or an expression.
package protocol RequestTree {
    /// Calls the closures with the tree itself, and with each condition and expression inside, at any depth.
    func walk(_ predicate: (RowPredicate) -> Void, _ expression: (RowExpression) -> Void)
}

extension RowPredicate: RequestTree {
    /// Calls the closures with each condition and each expression directly inside the condition.
    package func forEachChild<Failure>(
        _ predicate: (RowPredicate) throws(Failure) -> Void, _ expression: (RowExpression) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .constant, .isEntity: break
        case .compare(let left, _, let right), .text(let left, _, let right, _):
            try expression(left)
            try expression(right)
        case .isIn(let value, _): try expression(value)
        case .some(_, _, let condition), .not(let condition): try predicate(condition)
        case .and(let parts), .or(let parts): for part in parts { try predicate(part) }
        }
    }

    /// Calls the closures with the condition, and with each condition and expression inside, at any depth.
    package func walk(_ predicate: (RowPredicate) -> Void, _ expression: (RowExpression) -> Void) {
        predicate(self)
        forEachChild({ $0.walk(predicate, expression) }, { $0.walk(predicate, expression) })
    }
}

extension RowExpression: RequestTree {
    /// Calls the closures with each condition and each expression directly inside the expression.
    package func forEachChild<Failure>(
        _ predicate: (RowPredicate) throws(Failure) -> Void, _ expression: (RowExpression) throws(Failure) -> Void
    ) throws(Failure) {
        switch self {
        case .value, .column, .key, .count: break
        case .through(_, let inner), .outer(let inner): try expression(inner)
        case .function(_, let arguments): for argument in arguments { try expression(argument) }
        case .conditional(let condition, let first, let second):
            try predicate(condition)
            try expression(first)
            try expression(second)
        case .aggregate(_, let value, _, _, let condition):
            try expression(value)
            try predicate(condition)
        }
    }

    /// Calls the closures with the expression, and with each condition and expression inside, at any depth.
    package func walk(_ predicate: (RowPredicate) -> Void, _ expression: (RowExpression) -> Void) {
        expression(self)
        forEachChild({ $0.walk(predicate, expression) }, { $0.walk(predicate, expression) })
    }
}
