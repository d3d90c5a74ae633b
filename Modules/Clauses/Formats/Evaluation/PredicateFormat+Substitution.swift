/// Replaces the `$variables` of a format string with values.
extension PredicateFormat {
    /// Returns the condition with values in place of its `$variables`.
    ///
    /// ```swift
    /// let template = try PredicateFormat("age > $limit")
    /// try stack.fetchAll(From<Person>(), Where<Person>(format: template.withSubstitutionVariables(["limit": 18])))
    /// ```
    ///
    /// Inside a `SUBQUERY`, the variable of the subquery keeps its meaning. A variable without a value stays in the
    /// condition, and a request with this condition throws `invalidRequest`.
    ///
    /// - Throws: ``FormatEvaluationError`` if a value is not allowed as an argument of a format string.
    public func withSubstitutionVariables(
        _ variables: [String: Any]
    ) throws(FormatEvaluationError) -> PredicateFormat {
        var values: [String: ExpressionFormat] = [:]
        for (name, value) in variables {
            values[name] = try ExpressionFormat(value, named: "The value of '$\(name)'")
        }
        return substituting(values)
    }

    fileprivate func substituting(_ values: [String: ExpressionFormat]) -> PredicateFormat {
        switch self {
        case .constant: return self
        case .comparison(var comparison):
            comparison.left = comparison.left.substituting(values)
            comparison.right = comparison.right.substituting(values)
            return .comparison(comparison)
        case .and(let parts): return .and(parts.map { $0.substituting(values) })
        case .or(let parts): return .or(parts.map { $0.substituting(values) })
        case .not(let part): return .not(part.substituting(values))
        }
    }
}

extension ExpressionFormat {
    fileprivate func substituting(_ values: [String: ExpressionFormat]) -> ExpressionFormat {
        func each(_ expression: ExpressionFormat) -> ExpressionFormat { expression.substituting(values) }
        switch self {
        case .variable(let name): return values[name] ?? self
        case .constant, .evaluatedObject: return self
        case .assignment(let name, let value): return .assignment(name, each(value))
        case .path(let base, let keys): return .path(each(base), keys)
        case .index(let base, .at(let position)): return .index(each(base), .at(each(position)))
        case .index(let base, let index): return .index(each(base), index)
        case .collection(let members): return .collection(members.map(each))
        case .dictionary(let entries): return .dictionary(entries.mapValues(each))
        case .unary(let symbol, let operand): return .unary(symbol, each(operand))
        case .binary(let symbol, let left, let right): return .binary(symbol, each(left), each(right))
        case .function(let name, let arguments): return .function(name, arguments.map(each))
        case .call(let receiver, let selector, let arguments):
            return .call(each(receiver), selector, arguments.map(each))
        case .subquery(let collection, let variable, let condition):
            var inner = values
            inner[variable] = nil
            return .subquery(each(collection), variable: variable, condition.substituting(inner))
        case .conditional(let condition, let first, let second):
            return .conditional(condition.substituting(values), each(first), each(second))
        case .cast(let operand, let type): return .cast(each(operand), type)
        case .fetch(let request, let context, let countOnly):
            return .fetch(each(request), each(context), each(countOnly))
        }
    }
}
