import CofferEvaluation
import CofferStorage
import CofferStorageTools
import Foundation

/// Runs requests on one snapshot, and uses the indexes that the ``AccessPlan`` names.
struct RowFinder {
    /// With more related rows, evaluating a condition for each row may cost less.
    private static let relatedLimit = 10_000
    /// The number of rows to try in the order of the request before related rows are looked for.
    private static let firstRows = 1_024

    /// The number of nested relationships whose rows are looked for: the stack of a thread can be small.
    private static let depthLimit = 16

    let snapshot: Snapshot
    private let evaluator: ReferenceEvaluator
    private let depth: Int

    /// - Parameter depth: the number of relationships between the request and the rows that are looked for.
    init(_ snapshot: Snapshot, depth: Int = 0) {
        self.snapshot = snapshot
        self.depth = depth
        evaluator = ReferenceEvaluator(layout: snapshot.layout)
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try snapshot.layout.check(request)
        if request.limit == 0 { return [] }
        return try planned(request).map(rows) ?? []
    }

    private func rows(_ planned: Planned) -> [Row] {
        let request = planned.request
        if let rows = ordered(planned, budget: AccessPlan.budget(planned.table.rows.count)) {
            return evaluator.cut(rows, evaluator.window(request))
        }
        guard let rows = candidates(planned) else { return evaluator.rows(request, in: snapshot) }
        let window = evaluator.window(request)
        let order = evaluator.order(request.order)
        return evaluator.cut(evaluator.sorted(rows, by: order, in: snapshot, limit: window.end), window)
    }

    /// Hands over the rows of ``rows(_:)``, those of a scan in the order of their keys without a list.
    func forEachRow(_ request: RowRequest, _ body: (consuming Row) -> Void) throws(StorageError) {
        try snapshot.layout.check(request)
        if request.limit == 0 { return }
        guard let planned = try planned(request) else { return }
        guard request.order.isEmpty, request.offset == 0, request.limit == nil, case .scan = planned.access else {
            return rows(planned).forEach(body)
        }
        evaluator.forEachMatch(planned.request, in: snapshot) {
            body($0)
            return true
        }
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try snapshot.layout.check(request)
        var unordered = request
        unordered.order = []
        guard let planned = try planned(unordered) else { return 0 }
        if request.predicate == .constant(true), evaluator.wantedEntities(request) == nil {
            return evaluator.windowed(planned.table.rows.count, request)
        }
        guard let rows = candidates(planned) else { return evaluator.count(planned.request, in: snapshot) }
        return evaluator.windowed(rows.count, request)
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        var unordered = request.rows
        unordered.order = []
        unordered.limit = nil
        unordered.offset = 0
        try snapshot.layout.check(request)
        guard let planned = try planned(unordered) else { return try evaluator.values(request, in: snapshot) }
        let found = candidates(planned)
        return try evaluator.values(request, in: snapshot) { rows, body in
            if let found {
                for row in found where !body(row) { return }
            } else {
                var rows = rows
                rows.predicate = planned.request.predicate
                evaluator.forEachMatch(rows, in: snapshot, body)
            }
        }
    }

    /// A request with the way of finding its rows.
    struct Planned {
        var request: RowRequest
        fileprivate let plan: TablePlan
        fileprivate let table: Table
        var access: AccessPlan
    }

    /// The plan of a request.
    ///
    /// If it is not selective, conditions on related rows that indexes find are replaced by conditions on references and
    /// keys.
    func planned(_ request: RowRequest) throws(StorageError) -> Planned? {
        let root = snapshot.layout.entities[request.entity].root
        guard let plan = snapshot.plans[root], let table = snapshot.table(root) else { return nil }
        let access = AccessPlanner(request, plan, snapshot.layout).choose()
        var planned = Planned(request: request, plan: plan, table: table, access: access)
        if access.isSelective || depth == Self.depthLimit || request.relationships.isEmpty { return planned }
        // A few of the rows that the request starts with may be enough.
        if ordered(planned, budget: Self.firstRows) != nil { return planned }
        let limit =
            request.limit.map { min(Self.relatedLimit, max(256, min($0, Self.relatedLimit) * 64)) } ?? Self.relatedLimit
        let (plain, rest) = try RelatedConditions(self, limit: limit).split(request.predicate, request.entity)
        planned.request.predicate = rest.map { .and([plain, $0]) } ?? plain
        planned.access = AccessPlanner(planned.request, plan, snapshot.layout).choose()
        return planned
    }

    /// The matching rows by their keys; nil when a scan is better.
    private func candidates(_ planned: Planned) -> [Row]? {
        candidates(planned, budget: AccessPlan.budget(planned.table.rows.count))
    }

    private func candidates(_ planned: Planned, budget: Int) -> [Row]? {
        var keys: [Int64] = []
        let isComplete = forEachKey(planned.access, planned) { key in
            keys.append(key)
            return keys.count <= budget
        }
        guard isComplete, keys.count <= budget else { return nil }
        return matches(planned.request, planned.table, keys)
    }

    /// Calls the closure with the keys of a plan, until it returns false; returns false if the plan has no keys.
    private func forEachKey(_ access: AccessPlan, _ planned: Planned, _ take: (Int64) -> Bool) -> Bool {
        let table = planned.table
        switch access {
        case .keys(let list):
            for key in list where !take(key) { break }
        case .unique(let number, let values):
            let kind = planned.plan.uniques[number].columns[0].kind
            for value in values {
                guard let hash = value.hash(as: kind) else { return false }
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
        case .union(let parts):
            for part in parts where !forEachKey(part, planned, take) { return false }
        case .order, .scan:
            return false
        }
        return true
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

    /// The first matching rows in the order of an index; nil for another plan, and when the walk meets too many rows.
    private func ordered(_ planned: Planned, budget: Int) -> [Row]? {
        guard case .order(let number, let ascending, let bounds) = planned.access else { return nil }
        let (table, index) = (planned.table, planned.plan.indexes[number])
        return ordered(planned.request, index, table, table.index(number), ascending, bounds, budget)
    }

    private func ordered(
        _ request: RowRequest, _ index: TablePlan.Index, _ table: Table, _ tree: EntryTree, _ ascending: Bool,
        _ bounds: ClosedRange<SortBound>, _ budget: Int
    ) -> [Row]? {
        let test = evaluator.predicate(request.predicate)
        let isAll = test.constant == true
        if test.constant == false { return [] }
        let wanted = evaluator.wantedEntities(request)
        let end = evaluator.window(request).end ?? .max
        var rows: [Row] = []
        rows.reserveCapacity(min(end, table.rows.count))
        var budget = isAll ? Int.max : budget
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
        walk(tree, ascending, bounds, visit)
        if budget <= 0 && rows.count < end { return nil }
        if budget <= 0 && !ascending { return nil }
        if !ascending { reverseRuns(&rows, index) }
        return rows
    }

    /// Calls the closure with the entries within bounds, in the order of the index or in reverse, until it returns false.
    private func walk(
        _ tree: EntryTree, _ ascending: Bool, _ bounds: ClosedRange<SortBound>, _ visit: (Entry) -> Bool
    ) {
        let (lowest, highest) = (bounds.lowerBound.word, bounds.upperBound.word)
        if bounds == .lowest ... .highest {
            ascending ? tree.walk(visit) : tree.walkBackwards(visit)
        } else if ascending {
            tree.walk(from: { $0.word < lowest }) { !(highest < $0.word) && visit($0) }
        } else {
            tree.walkBackwards(from: { !(highest < $0.word) }) { !($0.word < lowest) && visit($0) }
        }
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

/// The rows that conditions on related rows ask for, where an index finds them.
extension RowFinder: RelatedRowSource {
    var layout: ModelLayout { snapshot.layout }

    func relatedRows(_ request: RowRequest) throws(StorageError) -> [Row]? {
        let finder = RowFinder(snapshot, depth: depth + 1)
        guard let planned = try finder.planned(request) else { return nil }
        let most = AccessPlan.budget(planned.table.rows.count)
        return finder.candidates(planned, budget: min(most, (request.limit ?? most) * 4))
    }

    func owners(_ relationship: RelationshipLayout, of members: [Row], limit: Int) -> Set<Int64>? {
        guard case .links(let table, let isFirst) = layout.relationships[relationship.inverse].storage else {
            return nil
        }
        let links = isFirst ? snapshot.links[table].forward : snapshot.links[table].backward
        var owners: Set<Int64> = []
        for member in members where owners.count <= limit {
            links.forEach(member.key) { owner in
                owners.insert(owner)
                return owners.count <= limit
            }
        }
        return owners.count <= limit ? owners : nil
    }
}
