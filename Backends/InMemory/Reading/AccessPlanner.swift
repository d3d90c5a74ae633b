import CofferEvaluation
import CofferStorage

/// Chooses the query plan (``AccessPlan``) of a request by its condition, and the ``RowWalk`` by its order.
struct AccessPlanner {
    let plan: TablePlan
    let entity: EntityLayout
    private let layout: ModelLayout
    private let conditions: [RowPredicate]
    private let request: RowRequest

    init(_ request: RowRequest, _ plan: TablePlan, _ layout: ModelLayout) {
        self.plan = plan
        self.request = request
        self.layout = layout
        entity = layout.entities[request.entity]
        conditions = Self.conjuncts(request.predicate)
    }

    private static func conjuncts(_ predicate: RowPredicate) -> [RowPredicate] {
        switch predicate {
        case .and(let parts): parts.flatMap(conjuncts)
        case .constant(true): []
        default: [predicate]
        }
    }

    func choose() -> AccessPlan {
        if conditions.contains(.constant(false)) { return .keys([]) }
        if let plan = first(keys) ?? first(unique) ?? first(equality) { return plan }
        let unions = conditions.compactMap(union)
        return unions.first(where: \.isSelective) ?? first(range) ?? unions.first ?? .scan
    }

    /// Returns the plan of the first condition that has a plan.
    private func first(_ plan: (RowPredicate) -> AccessPlan?) -> AccessPlan? {
        for condition in conditions { if let plan = plan(condition) { return plan } }
        return nil
    }

    /// Returns the plans of the parts of a disjunction; nil if one of the parts has no plan.
    private func union(_ condition: RowPredicate) -> AccessPlan? {
        guard case .or(let parts) = condition else { return nil }
        var plans: [AccessPlan] = []
        for part in parts {
            let alone = RowRequest(entity: entity.index, predicate: part)
            switch AccessPlanner(alone, plan, layout).choose() {
            case .scan: return nil
            case let plan: plans.append(plan)
            }
        }
        return .union(plans)
    }

    private func keys(_ condition: RowPredicate) -> AccessPlan? {
        switch condition {
        case .compare(.key, .equal, .value(.integer(let key))), .compare(.value(.integer(let key)), .equal, .key):
            .keys([key])
        case .isIn(.key, let values): Self.integers(values).map(AccessPlan.keys)
        default: nil
        }
    }

    /// Returns the keys of a list; nil if a number of another case might equal a key.
    private static func integers(_ values: [Value]) -> [Int64]? {
        var integers: [Int64] = []
        integers.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .integer(let number): integers.append(number)
            case .null, .text, .blob, .date, .object: continue
            case .boolean, .double, .decimal: return nil
            }
        }
        return integers
    }

    /// Returns the column of a condition on equality, and the constants of which it must equal one.
    private func constants(_ condition: RowPredicate) -> (slot: Int, kind: ColumnKind, values: [Value])? {
        switch condition {
        case .compare(.column(let slot, let kind), .equal, .value(let value)),
            .compare(.value(let value), .equal, .column(let slot, let kind)):
            (slot, kind, [value])
        case .isIn(.column(let slot, let kind), let values):
            (slot, kind, values.filter { !$0.isNull })
        default: nil
        }
    }

    private func unique(_ condition: RowPredicate) -> AccessPlan? {
        guard
            let (slot, kind, values) = constants(condition),
            let number = plan.uniques.firstIndex(where: { $0.columns.count == 1 && $0.columns[0].slot == slot }),
            values.allSatisfy({ !$0.isNull && SortWord($0, as: kind) != nil })
        else { return nil }
        return .unique(number, values)
    }

    private func equality(_ condition: RowPredicate) -> AccessPlan? {
        guard let (slot, kind, values) = constants(condition) else { return nil }
        if kind == .reference,
            let number = plan.references.firstIndex(where: { $0.slot == slot && covers($0.entities) })
        {
            guard values.allSatisfy({ !$0.isNull }), let keys = Self.integers(values) else { return nil }
            return .reference(number, keys)
        }
        guard let number = index(startingWith: slot) else { return nil }
        var ranges: [ClosedRange<SortWord>] = []
        for value in values {
            guard let word = SortWord(value, as: kind) else { return nil }
            ranges.append(word...word)
        }
        return .ranges(index: number, ranges)
    }

    private func range(_ condition: RowPredicate) -> AccessPlan? {
        guard let (slot, _) = bound(condition), let number = index(startingWith: slot) else { return nil }
        return bounds(of: slot).map { .ranges(index: number, [$0]) } ?? .keys([])
    }

    /// Returns the range of the values of a column that fulfil all conditions; nil if there are no such values.
    private func bounds(of slot: Int) -> ClosedRange<SortWord>? {
        var (lower, upper) = (SortWord.null, SortWord.highest)
        for condition in conditions {
            guard let range = range(of: slot, condition) else { continue }
            lower = max(lower, range.lowerBound)
            upper = min(upper, range.upperBound)
        }
        return lower <= upper ? lower...upper : nil
    }

    /// Returns a range of all values of a column that fulfil a condition; nil if every value may fulfil it.
    private func range(of slot: Int, _ condition: RowPredicate) -> ClosedRange<SortWord>? {
        switch condition {
        case .and(let parts):
            return parts.lazy.compactMap { range(of: slot, $0) }.first
        case .or(let parts):
            var hull: ClosedRange<SortWord>?
            for part in parts {
                guard let range = range(of: slot, part) else { return nil }
                hull = hull.map { min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound) } ?? range
            }
            return hull
        default:
            if let bound = bound(condition) { return bound.slot == slot ? bound.range : nil }
            guard
                case .compare(.column(slot, let kind), .equal, .value(let value)) = condition,
                let word = SortWord(value, as: kind)
            else { return nil }
            return word...word
        }
    }

    /// Returns the column of a comparison with a constant, and the range of the values that fulfil the comparison.
    private func bound(_ condition: RowPredicate) -> (slot: Int, range: ClosedRange<SortWord>)? {
        switch condition {
        case .compare(.column(let slot, let kind), let comparison, .value(let value)):
            range(kind, comparison, value).map { (slot, $0) }
        case .compare(.value(let value), let comparison, .column(let slot, let kind)):
            range(kind, comparison.mirrored, value).map { (slot, $0) }
        default: nil
        }
    }

    private func range(
        _ kind: ColumnKind, _ comparison: RowPredicate.Comparison, _ value: Value
    ) -> ClosedRange<SortWord>? {
        guard !value.isNull, let word = SortWord(value, as: kind) else { return nil }
        return switch comparison {
        case .less, .lessOrEqual: .lowestValue...max(word, .lowestValue)
        case .greater, .greaterOrEqual: word ... .highest
        case .equal, .notEqual: nil
        }
    }

    /// Returns the order in which the request can visit its rows; nil if the request needs all rows first.
    func walk() -> RowWalk? {
        guard let ascending = request.order.first?.ascending else { return request.limit == nil ? nil : .keys }
        guard request.limit != nil || conditions.isEmpty else { return nil }
        let slots = request.order.prefix { $0.ascending == ascending }.map(\.expression.slot)
        var (best, bestCount) = (0, 0)
        for (number, index) in plan.indexes.enumerated() where covers(index.entities) {
            let count = zip(index.columns, slots).prefix { $0.slot == $1 }.count
            if count > bestCount || count == bestCount && index.columns.count == count {
                (best, bestCount) = (number, count)
            }
        }
        let isWhole = bestCount == request.order.count && plan.indexes[best].columns.count == bestCount
        // Without a limit, sorting all rows at once costs less.
        guard bestCount > 0, isWhole || request.limit != nil,
            let bounds = bounds(of: plan.indexes[best].columns[0].slot)
        else { return nil }
        return .index(
            RowWalk.IndexOrder(
                index: best, ascending: ascending, columnCount: bestCount, isWhole: isWhole, bounds: bounds))
    }

    private func index(startingWith slot: Int) -> Int? {
        plan.indexes.firstIndex { $0.columns[0].slot == slot && covers($0.entities) }
    }

    /// Whether an index contains all rows that the request may return.
    private func covers(_ entities: ColumnSet) -> Bool { entities.contains(entity.index) }
}

extension RowExpression {
    /// The slot of a column of the row itself.
    fileprivate var slot: Int? {
        if case .column(let slot, _) = self { slot } else { nil }
    }
}
