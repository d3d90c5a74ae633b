import CofferStorage

/// Compiles string conditions such as `LIKE`, `MATCHES` and comparisons with options to closures.
extension PredicateCompiler {
    func text(
        _ left: RowExpression, _ relation: TextRelation, _ right: RowExpression, _ options: TextOptions
    ) -> CompiledPredicate {
        guard case .value(let constant) = right else { return texts(left, relation, right, options) }
        guard case .text(let text) = constant, let pattern = try? TextPattern(relation, text, options) else {
            return CompiledPredicate(constant: false)
        }
        if case .column(let slot, .text) = left {
            return CompiledPredicate { row, _ in row.holds(slot) && row.withBytes(slot) { pattern.holds($0) } }
        }
        let left = CompiledExpression(left, in: layout).value
        return CompiledPredicate { row, source in
            guard case .text(let text) = left(row, source) else { return false }
            return pattern.holds(text)
        }
    }

    private func texts(
        _ left: RowExpression, _ relation: TextRelation, _ right: RowExpression, _ options: TextOptions
    ) -> CompiledPredicate {
        let (left, right) = (
            CompiledExpression(left, in: layout).value, CompiledExpression(right, in: layout).value
        )
        return CompiledPredicate { row, source in
            (try? relation.holds(left(row, source), right(row, source), options)) ?? false
        }
    }
}
