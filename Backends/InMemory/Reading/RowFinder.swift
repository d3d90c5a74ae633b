import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// Runs requests on one snapshot, and uses the indexes that the ``AccessPlan`` names.
struct RowFinder {
    /// The maximum number of related rows; with more of them, evaluating a condition for each row may cost less.
    private static let relatedLimit = 10_000
    /// The number of rows to try in the order of the request before related rows are looked up.
    private static let firstRows = 1_024
    /// The number of rows to try instead, if the request has no order.
    ///
    /// They are few, because an index may find the related rows with less work.
    private static let fewRows = 16
    /// The maximum number of nested relationships whose rows are looked up; the stack of a thread can be small.
    private static let depthLimit = 16

    let snapshot: Snapshot
    private let evaluator: ReferenceEvaluator
    private let depth: Int

    /// - Parameter depth: the number of relationships between the request and the rows that are looked up.
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
        guard let rows = first(planned) else { return evaluator.rows(planned.request, in: snapshot) }
        return evaluator.cut(rows, evaluator.window(planned.request))
    }

    /// Returns the rows up to the end of the request's window; nil if a scan is better.
    ///
    /// The method uses the way that visits the fewest rows, or a way that visits not many more.
    private func first(_ planned: Planned) -> [Row]? {
        if let rows = planned.firstRows { return rows }
        let (request, most) = (planned.request, AccessPlan.budget(planned.table.rows.count))
        // A scan in the order of the keys also ends at the limit.
        if case (.scan, .keys) = (planned.access, planned.walk) { return nil }
        var budget = most
        if planned.walk != nil, let end = evaluator.window(request).end { budget = min(most, max(Self.firstRows, end)) }
        while true {
            if let rows = candidates(planned, budget: budget) {
                let order = evaluator.order(request.order)
                return evaluator.sorted(rows, by: order, in: snapshot, limit: evaluator.window(request).end)
            }
            if let rows = walked(planned, budget: budget) { return rows }
            guard budget < most else { return nil }
            budget = min(most, budget * 8)
        }
    }

    /// Returns the rows up to the end of the request's window, in its order; nil if the budget of rows is used up.
    private func walked(_ planned: Planned, budget: Int) -> [Row]? {
        switch planned.walk {
        case nil: return nil
        case .index(let order):
            let walk = IndexWalk(
                order: order, index: planned.plan.indexes[order.index], table: planned.table, snapshot: snapshot,
                evaluator: evaluator)
            return walk.rows(planned.request, budget: budget)
        case .keys:
            guard let end = evaluator.window(planned.request).end, end <= budget else { return nil }
            let test = evaluator.predicate(planned.request.predicate)
            let wanted = evaluator.wantedEntities(planned.request)
            var (rows, budget) = ([Row](), budget)
            planned.table.rows.forEach { row in
                if wanted?.contains(row.entity) ?? true, test.matches(row, in: snapshot) { rows.append(row) }
                budget -= 1
                return budget > 0 && rows.count < end
            }
            return budget > 0 || rows.count >= end ? rows : nil
        }
    }

    /// Calls the closure with the rows of ``rows(_:)``; the rows of a scan by key are not collected in an array.
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
        let rows = request.limit == nil ? candidates(planned) : first(planned)
        return rows.map { evaluator.windowed($0.count, request) } ?? evaluator.count(planned.request, in: snapshot)
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

    /// A request with its query plan.
    struct Planned {
        var request: RowRequest
        fileprivate let plan: TablePlan
        fileprivate let table: Table
        var access: AccessPlan
        var walk: RowWalk?
        /// The rows up to the end of the window, if a few rows were tried and were enough.
        fileprivate var firstRows: [Row]?

        fileprivate init(_ request: RowRequest, _ plan: TablePlan, _ table: Table, _ layout: ModelLayout) {
            let planner = AccessPlanner(request, plan, layout)
            (self.request, self.plan, self.table) = (request, plan, table)
            access = planner.choose()
            if case .keys = access { walk = nil } else { walk = planner.walk() }
        }
    }

    /// Returns the query plan of a request.
    ///
    /// If the plan is not selective, conditions on related rows that indexes find are replaced. The new conditions
    /// are conditions on references and keys.
    func planned(_ request: RowRequest) throws(StorageError) -> Planned? {
        let root = snapshot.layout.entities[request.entity].root
        guard let plan = snapshot.plans[root], let table = snapshot.table(root) else { return nil }
        var planned = Planned(request, plan, table, snapshot.layout)
        if planned.access.isSelective || depth == Self.depthLimit || request.relationships.isEmpty { return planned }
        // A few rows at the beginning of the request's order may be enough.
        planned.firstRows = walked(planned, budget: request.order.isEmpty ? Self.fewRows : Self.firstRows)
        if planned.firstRows != nil { return planned }
        let limit =
            request.limit.map { min(Self.relatedLimit, max(256, min($0, Self.relatedLimit) * 64)) } ?? Self.relatedLimit
        let (plain, rest) = try RelatedConditions(self, limit: limit).split(request.predicate, request.entity)
        var replaced = request
        replaced.predicate = rest.map { .and([plain, $0]) } ?? plain
        return Planned(replaced, plan, table, snapshot.layout)
    }

    /// Returns the matching rows by their keys; nil if a scan is better.
    private func candidates(_ planned: Planned, budget: Int? = nil) -> [Row]? {
        let budget = budget ?? AccessPlan.budget(planned.table.rows.count)
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
                table.index(index).walk(from: { $0.word < range.lowerBound }) {
                    !(range.upperBound < $0.word) && take($0.key)
                }
            }
        case .union(let parts):
            for part in parts where !forEachKey(part, planned, take) { return false }
        case .scan:
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
            guard let row = lookup.row(key)?.row, wanted?.contains(row.entity) ?? true else { continue }
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
}

/// Finds the related rows of conditions, if an index finds them.
extension RowFinder: RelatedRowSource {
    var layout: ModelLayout { snapshot.layout }

    func relatedRows(_ request: RowRequest) throws(StorageError) -> [Row]? {
        let finder = RowFinder(snapshot, depth: depth + 1)
        guard let planned = try finder.planned(request) else { return nil }
        let most = AccessPlan.budget(planned.table.rows.count)
        return finder.candidates(planned, budget: min(most, (request.limit ?? most) * 4))
    }

    func owners(_ relationship: RelationshipLayout, of members: [Row], limit: Int) -> [Int64: Int]? {
        guard case .links(let table, let isFirst) = layout.relationships[relationship.inverse].storage else {
            return nil
        }
        let links = isFirst ? snapshot.links[table].forward : snapshot.links[table].backward
        var owners: [Int64: Int] = [:]
        for member in members where owners.count <= limit {
            links.forEach(member.key) { owner in
                owners[owner, default: 0] += 1
                return owners.count <= limit
            }
        }
        return owners.count <= limit ? owners : nil
    }
}
