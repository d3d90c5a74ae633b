import CofferStorage

/// Compiles a condition on rows to closures, which read the slots of a row.
struct PredicateCompiler {
    let layout: ModelLayout

    func compile(_ predicate: RowPredicate) -> CompiledPredicate {
        switch predicate {
        case .constant(let answer): CompiledPredicate(constant: answer)
        case .compare(let left, let comparison, let right): compare(left, comparison, right)
        case .isIn(let expression, let values): isIn(expression, values)
        case .text(let left, let relation, let right, let options): text(left, relation, right, options)
        case .isEntity(let entities): isEntity(entities)
        case .some(let path, let relationship, let condition): some(path, relationship, condition)
        case .and(let parts): combined(parts.map(compile), decisive: false)
        case .or(let parts): combined(parts.map(compile), decisive: true)
        case .not(let part): not(compile(part))
        }
    }

    /// Combines the parts of an `and` or an `or`.
    ///
    /// - Parameter decisive: the result of a part that determines the result of the whole condition.
    private func combined(_ parts: [CompiledPredicate], decisive: Bool) -> CompiledPredicate {
        if parts.contains(where: { $0.constant == decisive }) { return CompiledPredicate(constant: decisive) }
        let tests = parts.filter { $0.constant == nil }.map(\.test)
        guard let first = tests.first else { return CompiledPredicate(constant: !decisive) }
        if tests.count == 1 { return CompiledPredicate(first) }
        if decisive { return CompiledPredicate { row, source in tests.contains { $0(row, source) } } }
        if tests.count == 2 {
            let second = tests[1]
            return CompiledPredicate { row, source in first(row, source) && second(row, source) }
        }
        return CompiledPredicate { row, source in tests.allSatisfy { $0(row, source) } }
    }

    private func not(_ part: CompiledPredicate) -> CompiledPredicate {
        if let constant = part.constant { return CompiledPredicate(constant: !constant) }
        let test = part.test
        return CompiledPredicate { row, source in !test(row, source) }
    }

    private func isEntity(_ entities: [Int]) -> CompiledPredicate {
        var set = ColumnSet()
        for entity in entities where entity >= 0 { set.insert(entity) }
        return CompiledPredicate { [set] row, _ in set.contains(row.entity) }
    }

    private func some(_ path: [Int], _ relationship: Int, _ condition: RowPredicate) -> CompiledPredicate {
        let test = compile(condition).test
        let steps = path.compactMap { ToOneStep($0, in: layout) }
        guard steps.count == path.count, layout.relationships.indices.contains(relationship) else {
            return CompiledPredicate(constant: false)
        }
        let isCorrelated = condition.refersOutside
        return CompiledPredicate { row, source in
            var owner = row
            for step in steps {
                guard let next = step.follow(owner, source) else { return false }
                owner = next
            }
            let members = source.related(relationship, of: owner.key)
            if isCorrelated {
                let inner = InnerSource(source: source, outer: row)
                return members.contains { test($0, inner) }
            }
            return members.contains { test($0, source) }
        }
    }

    private func isIn(_ expression: RowExpression, _ values: [Value]) -> CompiledPredicate {
        guard case .column(let slot, let kind) = expression else {
            return isIn(CompiledExpression(expression, in: layout), Membership(values))
        }
        let membership = Membership(values, for: kind)
        switch kind {
        case .integer, .reference:
            let numbers = membership.numbers.integers
            return CompiledPredicate { row, _ in row.holds(slot) && numbers.contains(row.integer(slot)) }
        case .date:
            let dates = membership.dates
            return CompiledPredicate { row, _ in row.holds(slot) && dates.contains(row.double(slot)) }
        case .text, .blob:
            let strings = kind == .text ? membership.texts : membership.blobs
            return CompiledPredicate { row, _ in
                row.holds(slot) && row.withBytes(slot) { strings.contains($0) }
            }
        case .boolean, .double, .decimal: return isIn(CompiledExpression(expression, in: layout), membership)
        }
    }

    private func isIn(_ compiled: CompiledExpression, _ membership: Membership) -> CompiledPredicate {
        CompiledPredicate { row, source in membership.contains(compiled.value(row, source)) }
    }

    private func compare(
        _ left: RowExpression, _ comparison: RowPredicate.Comparison, _ right: RowExpression
    ) -> CompiledPredicate {
        switch (left, right) {
        case (.value(let a), .value(let b)):
            return CompiledPredicate(constant: comparison.holds(a, b))
        case (.value, _):
            return compare(right, comparison.mirrored, left)
        case (.column(let slot, let kind), .value(let constant)):
            if let test = columnTest(slot, kind, comparison, constant) { return CompiledPredicate(test) }
        case (.key, .value(.integer(let constant))):
            return CompiledPredicate { row, _ in comparison.holds(ValueOrdering.order(row.key, constant)) }
        case (.through(let relationship, let inner), .value(let constant)):
            let test = compare(inner, comparison, right).test
            let withoutTarget = comparison.holds(.null, constant)
            guard let step = ToOneStep(relationship, in: layout) else {
                return CompiledPredicate(constant: withoutTarget)
            }
            return CompiledPredicate { row, source in
                guard let target = step.follow(row, source) else { return withoutTarget }
                return test(target, source)
            }
        default: break
        }
        let left = CompiledExpression(left, in: layout).value
        let right = CompiledExpression(right, in: layout).value
        return CompiledPredicate { row, source in comparison.holds(left(row, source), right(row, source)) }
    }
}
