import CofferEvaluation
import CofferStorage
import Foundation

/// Chooses the query plan (``AccessPlan``) of a request by its condition and order.
struct AccessPlanner {
    let plan: TablePlan
    let entity: EntityLayout
    private let conditions: [RowPredicate]
    private let request: RowRequest

    init(_ request: RowRequest, _ plan: TablePlan, _ layout: ModelLayout) {
        self.plan = plan
        self.request = request
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
        if conditions.isEmpty && request.order.isEmpty { return .scan }
        for condition in conditions {
            if let keys = keys(condition) { return .keys(keys) }
        }
        for condition in conditions {
            if let plan = unique(condition) { return plan }
        }
        for condition in conditions {
            if let plan = equality(condition) { return plan }
        }
        if request.limit != nil || conditions.isEmpty, let plan = order() { return plan }
        for condition in conditions {
            if let plan = range(condition) { return plan }
        }
        return .scan
    }

    private func keys(_ condition: RowPredicate) -> [Int64]? {
        switch condition {
        case .compare(.key, .equal, .value(.integer(let key))), .compare(.value(.integer(let key)), .equal, .key):
            [key]
        case .isIn(.key, let values):
            Self.integers(values)
        default: nil
        }
    }

    /// The keys of a list; nil when a number of another case might equal one.
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

    /// The column and the constants it must equal one of.
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
        var ranges: [ClosedRange<SortBound>] = []
        for value in values {
            guard let word = SortWord(value, as: kind) else { return nil }
            ranges.append(SortBound(word: word)...SortBound(word: word))
        }
        return .ranges(index: number, ranges)
    }

    private func range(_ condition: RowPredicate) -> AccessPlan? {
        guard case .compare(let left, let comparison, let right) = condition else { return nil }
        switch (left, right) {
        case (.column(let slot, let kind), .value(let value)): return range(slot, kind, comparison, value)
        case (.value(let value), .column(let slot, let kind)): return range(slot, kind, comparison.mirrored, value)
        default: return nil
        }
    }

    private func range(
        _ slot: Int, _ kind: ColumnKind, _ comparison: RowPredicate.Comparison, _ value: Value
    ) -> AccessPlan? {
        guard !value.isNull, let number = index(startingWith: slot), let word = SortWord(value, as: kind) else {
            return nil
        }
        let bound = SortBound(word: word)
        return switch comparison {
        case .less, .lessOrEqual: .ranges(index: number, [.lowestValue...max(bound, .lowestValue)])
        case .greater, .greaterOrEqual: .ranges(index: number, [bound ... .highest])
        case .equal, .notEqual: nil
        }
    }

    private func order() -> AccessPlan? {
        guard let ascending = request.order.first?.ascending else { return nil }
        var slots: [Int] = []
        for sort in request.order {
            guard case .column(let slot, _) = sort.expression, sort.ascending == ascending else { return nil }
            slots.append(slot)
        }
        let number = plan.indexes.firstIndex { $0.columns.map(\.slot) == slots && covers($0.entities) }
        return number.map { .order(index: $0, ascending: ascending) }
    }

    private func index(startingWith slot: Int) -> Int? {
        plan.indexes.firstIndex { $0.columns[0].slot == slot && covers($0.entities) }
    }

    /// Whether an index holds all rows the request may want.
    private func covers(_ entities: ColumnSet) -> Bool { entities.contains(entity.index) }
}
