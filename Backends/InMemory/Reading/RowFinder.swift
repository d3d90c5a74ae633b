import CofferEvaluation
import CofferStorage
import Foundation

/// Runs requests on one snapshot, and uses the indexes that the ``AccessPlan`` names.
struct RowFinder {
    let snapshot: Snapshot
    private let evaluator: ReferenceEvaluator

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        evaluator = ReferenceEvaluator(layout: snapshot.layout)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try snapshot.layout.check(request)
        if request.limit == 0 { return [] }
        guard let (plan, table, access) = access(request) else { return [] }
        if case .order(let index, let ascending) = access,
            let rows = ordered(request, plan.indexes[index], table, table.index(index), ascending)
        {
            return evaluator.cut(rows, evaluator.window(request))
        }
        guard let rows = candidates(request, plan, table, access) else {
            return evaluator.rows(request, in: snapshot)
        }
        let window = evaluator.window(request)
        let order = evaluator.order(request.order)
        return evaluator.cut(evaluator.sorted(rows, by: order, in: snapshot, limit: window.end), window)
    }

    /// Hands over the rows of ``rows(_:)``, those of a scan in the order of their keys without a list.
    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try snapshot.layout.check(request)
        guard request.order.isEmpty, request.offset <= 0, request.limit == nil,
            case .scan? = access(request)?.2
        else {
            for row in try rows(request) { body(row) }
            return
        }
        evaluator.forEachMatch(request, in: snapshot) {
            body($0)
            return true
        }
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try snapshot.layout.check(request)
        var unordered = request
        unordered.order = []
        guard let (plan, table, access) = access(unordered) else { return 0 }
        if request.predicate == .constant(true), evaluator.wantedEntities(request) == nil {
            return evaluator.windowed(table.rows.count, request)
        }
        guard let rows = candidates(request, plan, table, access) else {
            return evaluator.count(request, in: snapshot)
        }
        return evaluator.windowed(rows.count, request)
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try evaluator.values(request, in: snapshot) { rows, body in
            var unordered = rows
            unordered.order = []
            unordered.limit = nil
            if let (plan, table, access) = access(unordered), let found = candidates(rows, plan, table, access) {
                for row in found where !body(row) { return }
            } else {
                evaluator.forEachMatch(rows, in: snapshot, body)
            }
        }
    }

    private func access(_ request: RowRequest) -> (TablePlan, Table, AccessPlan)? {
        let root = snapshot.layout.entities[request.entity].root
        guard let plan = snapshot.plans[root], let table = snapshot.table(root) else { return nil }
        return (plan, table, AccessPlanner(request, plan, snapshot.layout).choose())
    }

    /// The matching rows by their keys; nil when a scan is better.
    private func candidates(
        _ request: RowRequest, _ plan: TablePlan, _ table: Table, _ access: AccessPlan
    ) -> [Row]? {
        var keys: [Int64] = []
        let budget = AccessPlan.budget(table.rows.count)
        let take = { (key: Int64) in
            keys.append(key)
            return keys.count <= budget
        }
        switch access {
        case .keys(let list):
            keys = list
        case .unique(let number, let values):
            let kind = plan.uniques[number].columns[0].kind
            for value in values {
                guard let hash = value.hash(as: kind) else { return nil }
                table.candidates(number, hash: hash, take)
            }
        case .reference(let number, let owners):
            for owner in owners { table.reference(number).forEach(owner: owner, take) }
        case .ranges(let index, let ranges):
            for range in ranges {
                table.index(index).walk(from: { $0.word < range.lowerBound.word }) {
                    !(range.upperBound.word < $0.word) && take($0.key)
                }
            }
        case .order, .scan:
            return nil
        }
        guard keys.count <= budget else { return nil }
        return matches(request, table, keys)
    }

    private func matches(_ request: RowRequest, _ table: Table, _ keys: [Int64]) -> [Row] {
        let test = evaluator.predicate(request.predicate)
        let wanted = evaluator.wantedEntities(request)
        var lookup = RowLookup(table.rows)
        var rows: [Row] = []
        for key in keys {
            guard let row = lookup.address(key)?.pointee, wanted?.contains(row.entity) ?? true else { continue }
            if test.matches(row, in: snapshot) { rows.append(row) }
        }
        guard rows.count > 1 else { return rows }
        if keys.count > 1, zip(keys, keys.dropFirst()).allSatisfy({ $0 < $1 }) { return rows }
        rows.sort { $0.key < $1.key }
        var last: Int64?
        return rows.filter { row in
            defer { last = row.key }
            return row.key != last
        }
    }

    /// The first matching rows in the order of an index; nil when the walk was given up.
    private func ordered(
        _ request: RowRequest, _ index: TablePlan.Index, _ table: Table, _ tree: EntryTree, _ ascending: Bool
    ) -> [Row]? {
        let test = evaluator.predicate(request.predicate)
        let isAll = test.constant == true
        if test.constant == false { return [] }
        let wanted = evaluator.wantedEntities(request)
        let end = evaluator.window(request).end ?? .max
        var rows: [Row] = []
        rows.reserveCapacity(min(end, table.rows.count))
        var budget = isAll ? Int.max : AccessPlan.budget(table.rows.count)
        let visit = { (entry: Entry) -> Bool in
            guard let address = table.rows.address(entry.key) else { return true }
            budget -= 1
            return Row.withUnretained(address) { row in
                guard wanted?.contains(row.entity) ?? true, isAll || test.matches(row, in: snapshot) else {
                    return budget > 0
                }
                if ascending {
                    rows.append(row)
                    return rows.count < end && budget > 0
                }
                // Rows that are equal in the index come in the order of their keys also when the order descends.
                if let last = rows.last, index.compare(last, row) != .orderedSame {
                    if rows.count >= end { return false }
                }
                rows.append(row)
                return budget > 0
            }
        }
        if ascending { tree.walk(visit) } else { tree.walkBackwards(visit) }
        if budget <= 0 && rows.count < end { return nil }
        if budget <= 0 && !ascending { return nil }
        if !ascending { reverseRuns(&rows, index) }
        return rows
    }

    private func reverseRuns(_ rows: inout [Row], _ index: TablePlan.Index) {
        var start = 0
        while start < rows.count {
            var end = start + 1
            while end < rows.count, index.compare(rows[start], rows[end]) == .orderedSame { end += 1 }
            if end - start > 1 { rows[start..<end].reverse() }
            start = end
        }
    }
}
