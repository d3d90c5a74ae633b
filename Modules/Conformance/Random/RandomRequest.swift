import CofferStorage

/// Generates random requests with nested conditions, orders, limits, groups and conditions on groups.
struct RandomRequest {
    let layout: ModelLayout
    /// The keys of rows, for conditions on keys.
    let keys: [Int64]
    /// Whether conditions also compute values and test strings.
    var computes = false
    /// Whether some constants are extremes.
    ///
    /// If the value is true, decimals are not added: the order determines whether their sum has too many digits.
    let isWild: Bool
    /// The entities of the enclosing objects of the current condition, the nearest first.
    var outer: [Int] = []

    func rows(_ random: inout SeededGenerator) -> RowRequest {
        let entity = random.int(0...(layout.entities.count - 1))
        var request = RowRequest(entity: entity, includesSubentities: random.chance(80))
        request.predicate = random.chance(10) ? .constant(true) : predicate(entity, computes ? 6 : 4, &random)
        for _ in 0..<random.int(0...2) {
            request.order.append(RowSort(operand(entity, &random).expression, ascending: random.chance(50)))
        }
        if random.chance(40) { request.limit = random.int(0...8) }
        if random.chance(30) { request.offset = random.int(0...5) }
        return request
    }

    func values(_ random: inout SeededGenerator) -> ValueRequest {
        var rows = rows(&random)
        let entity = rows.entity
        let shape = random.int(0...9)
        if shape < 3 {
            let terms = (0..<random.int(1...3)).map { _ in
                ValueRequest.Term.expression(operand(entity, &random).expression)
            }
            return ValueRequest(rows: rows, terms: terms)
        }
        var groups: [Operand] = []
        for _ in 0..<(shape < 5 ? random.int(1...3) : random.int(0...2)) {
            let one = random.chance(25) ? operand(entity, &random) : expression(entity, 1, &random)
            if !groups.contains(where: { $0.expression == one.expression }) { groups.append(one) }
        }
        // All groups are sort values, so that there are no ties: the order of ties among groups is not defined.
        rows.order = groups.map { RowSort($0.expression, ascending: random.chance(50)) }.shuffled(using: &random)
        let terms = groups.map { ValueRequest.Term.expression($0.expression) }
        if shape < 5 { return ValueRequest(rows: rows, terms: terms, isDistinct: true) }
        var request = ValueRequest(rows: rows, terms: terms, groups: groups.map(\.expression))
        for _ in 0..<random.int(groups.isEmpty ? 1...3 : 0...3) {
            request.terms.append(aggregate(entity, &random).term)
        }
        request.terms.shuffle(using: &random)
        if request.terms.isEmpty { request.terms.append(.aggregate(.count, .key)) }
        if random.chance(50) { request.having = having(entity, groups, 2, &random) }
        return request
    }

    private func aggregate(
        _ entity: Int, _ random: inout SeededGenerator
    ) -> (term: ValueRequest.Term, kind: ColumnKind) {
        let (expression, kind) = random.chance(25) ? operand(entity, &random) : expression(entity, 1, &random)
        let aggregate = random.pick(aggregates(of: kind))
        let result: ColumnKind =
            aggregate == .count ? .integer : (aggregate == .average && kind == .integer ? .double : kind)
        return (.aggregate(aggregate, expression), result)
    }

    /// Returns the aggregates for a kind of value; a sum only if its result does not depend on the order.
    func aggregates(of kind: ColumnKind) -> [ValueRequest.Aggregate] {
        switch kind {
        case .integer, .double: ValueRequest.Aggregate.allCases
        case .decimal where !isWild: ValueRequest.Aggregate.allCases
        default: [.count, .minimum, .maximum]
        }
    }

    private func having(
        _ entity: Int, _ groups: [Operand], _ depth: Int, _ random: inout SeededGenerator
    ) -> ValueRequest.Having {
        if depth > 0, random.chance(50) {
            let parts = (0..<random.int(1...2)).map { _ in having(entity, groups, depth - 1, &random) }
            return random.pick([.and(parts), .or(parts), .not(parts[0])])
        }
        let (term, kind) =
            random.chance(50) && !groups.isEmpty
            ? { (.expression($0.expression), $0.kind) }(random.pick(groups)) : aggregate(entity, &random)
        return .compare(term, random.pick(RowPredicate.Comparison.allCases), constant(kind, &random))
    }

    func predicate(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> RowPredicate {
        if depth > 0, random.chance(55) {
            switch random.int(0...6) {
            case 0, 1: return .and((0..<random.int(0...3)).map { _ in predicate(entity, depth - 1, &random) })
            case 2, 3: return .or((0..<random.int(0...3)).map { _ in predicate(entity, depth - 1, &random) })
            case 4: return .not(predicate(entity, depth - 1, &random))
            default:
                if let some = some(entity, depth, &random) { return some }
                return .not(predicate(entity, depth - 1, &random))
            }
        }
        return leaf(entity, &random)
    }

    private func some(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> RowPredicate? {
        var path: [Int] = []
        var current = entity
        while random.chance(30), path.count < 2, let step = relationship(of: current, toMany: false, &random) {
            path.append(step)
            current = layout.relationships[step].destination
        }
        guard let relationship = relationship(of: current, toMany: true, &random) else { return nil }
        var inner = self
        inner.outer.insert(entity, at: 0)
        let condition = inner.predicate(layout.relationships[relationship].destination, depth - 1, &random)
        return .some(from: path, relationship: relationship, condition)
    }

    private func leaf(_ entity: Int, _ random: inout SeededGenerator) -> RowPredicate {
        if computes, random.chance(20), let text = text(entity, &random) { return text }
        switch random.int(0...19) {
        case 0: return .constant(random.chance(50))
        case 1: return .isEntity(layout.entities.indices.filter { _ in random.chance(40) })
        case 2, 3, 4:
            let (expression, kind) = operand(entity, &random)
            return .isIn(expression, (0..<random.int(0...4)).map { _ in constant(kind, nulls: false, &random) })
        case 5, 6, 7, 8:
            let (left, kind) = operand(entity, &random)
            let right = find(entity, 3, &random) { $0.isComparable(with: kind) }?.expression ?? left
            return .compare(left, random.pick(RowPredicate.Comparison.allCases), right)
        default:
            let (left, kind) = operand(entity, &random)
            let relation = random.pick(RowPredicate.Comparison.allCases)
            let right = RowExpression.value(constant(kind, &random))
            return random.chance(85) ? .compare(left, relation, right) : .compare(right, relation, left)
        }
    }

    /// Returns a constant that is comparable with a kind; sometimes null, or a number of another kind.
    func constant(
        _ kind: ColumnKind, nulls: Bool = true, _ random: inout SeededGenerator
    ) -> Value {
        if nulls, random.chance(12) { return .null }
        if kind == .reference { return .integer(keys.isEmpty ? 1 : random.pick(keys)) }
        let numbers: [ColumnKind] = [.integer, .double, .decimal, .boolean]
        let kind = numbers.contains(kind) && random.chance(25) ? random.pick(numbers) : kind
        return RandomValue.common(kind, isWild: isWild, &random)
    }

    func expression(_ entity: Int, _ depth: Int, _ random: inout SeededGenerator) -> Operand {
        if depth > 0, random.chance(30), let step = relationship(of: entity, toMany: false, &random) {
            let inner = expression(layout.relationships[step].destination, depth - 1, &random)
            return (.through(relationship: step, inner.expression), inner.kind)
        }
        if random.chance(12), let relationship = relationship(of: entity, toMany: true, &random) {
            return (.count(relationship: relationship), .integer)
        }
        let columns = layout.entities[entity].columns
        if columns.isEmpty || random.chance(5) { return (.key, .reference) }
        let slot = random.int(0...(columns.count - 1))
        return (.column(slot: slot, kind: columns[slot].kind), columns[slot].kind)
    }

    func relationship(of entity: Int, toMany: Bool, _ random: inout SeededGenerator) -> Int? {
        let candidates = layout.entities[entity].relationships.filter { layout.relationships[$0].isToMany == toMany }
        return candidates.isEmpty ? nil : random.pick(candidates)
    }
}

extension ColumnKind {
    /// Whether the values of two columns can be equal at all.
    func isComparable(with other: ColumnKind) -> Bool {
        let numbers: Set<ColumnKind> = [.integer, .double, .decimal, .boolean]
        return self == other || numbers.isSuperset(of: [self, other])
    }
}
