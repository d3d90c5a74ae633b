import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools

/// Applies the pending changes of a context to the rows of one store.
///
/// All reads use one reader.
struct PendingOverlay {
    let state: ContextState
    let store: OpenStore
    let reader: any StorageReader

    /// The rows of a request as the context sees them.
    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        guard state.pendingLookup.mayChange(request, store) else { return try reader.rows(request) }
        let (plain, rest) = try divided(request)
        if let rest { return try evaluated(request, plain.predicate, rest) }
        return try overlaid(plain)
    }

    /// Returns the number of rows of a request without order and limit.
    func count(_ request: RowRequest) throws(StorageError) -> Int {
        guard state.pendingLookup.mayChange(request, store) else { return try reader.count(request) }
        let (plain, rest) = try divided(request)
        if let rest { return try evaluated(request, plain.predicate, rest).count }
        if state.evaluator.predicate(plain.predicate).constant == false { return 0 }
        let pending = state.pendingLookup.rows(plain, store)
        let unchanged = UnchangedRows(state, store, request.entity)
        return try reader.keys(plain).reduce(pending.count) { unchanged.contains($1) ? $0 + 1 : $0 }
    }

    /// Splits a request into the part of its condition that follows no relationship, and the rest.
    ///
    /// The rest is nil if the first part is the whole request.
    private func divided(_ request: RowRequest) throws(StorageError) -> (plain: RowRequest, rest: RowPredicate?) {
        if request.relationships.isEmpty { return (request, nil) }
        var plain = request
        let rest: RowPredicate?
        (plain.predicate, rest) = try RelatedConditions(self).split(request.predicate, request.entity)
        if rest == nil, plain.relationships.isEmpty { return (plain, nil) }
        return (plain, rest ?? .constant(true))
    }

    /// Returns the unchanged stored rows and the matching pending rows, in the order of the request.
    private func overlaid(_ request: RowRequest) throws(StorageError) -> [Row] {
        if state.evaluator.predicate(request.predicate).constant == false { return [] }
        let end = state.evaluator.window(request).end
        if end == 0 { return [] }
        let pending = state.pendingLookup.rows(request, store)
        let unchanged = UnchangedRows(state, store, request.entity)
        let changedCount = state.pending.updated.count + state.pending.deleted.count
        let stored = try storedRows(
            request, first: end, skipping: changedCount, keepsPage: state.keepsSnapshot, where: unchanged.contains)
        guard !pending.isEmpty else { return Array(stored.window(offset: request.offset, limit: request.limit)) }
        let order = state.evaluator.order(request.order)
        let source = EmptySource(layout: state.layout)
        var rows: [Row] = []
        rows.reserveCapacity(min(end ?? .max, stored.count + pending.count))
        var next = 0
        for row in stored {
            while next < pending.count, order.precedes(pending[next], row, in: source) {
                rows.append(pending[next])
                next += 1
            }
            rows.append(row)
        }
        rows += pending[next...]
        return Array(rows.window(offset: request.offset, limit: request.limit))
    }

    /// Returns the included stored rows: all of them, or at least the first ones.
    ///
    /// - Parameters:
    ///   - skippedCount: the maximum number of rows that are left out.
    ///   - keepsPage: whether later requests use the rows that are read.
    private func storedRows(
        _ request: RowRequest, first count: Int?, skipping skippedCount: Int, keepsPage: Bool,
        where isIncluded: (Int64) -> Bool
    ) throws(StorageError) -> [Row] {
        var page = request
        page.offset = 0
        page.limit = nil
        guard let count else { return try reader.rows(page).filter { isIncluded($0.key) } }
        if keepsPage, let known = state.pendingIndex.pages.page(page, reader) {
            return try known.rows(count, where: isIncluded)
        }
        let limit = count.addingUpToMax(min(skippedCount, 8))
        var first = page
        first.limit = limit
        let rows = try reader.rows(first)
        let kept = rows.filter { isIncluded($0.key) }
        if kept.count >= count || rows.count < limit { return kept }
        let whole = StoredPage(page, reader, rows, limit: limit)
        if keepsPage { state.pendingIndex.pages.add(whole) }
        return try whole.rows(count, where: isIncluded)
    }

    // MARK: Relationships

    /// If at most this many objects fulfil the other conditions, all of them are evaluated.
    private static var fewCount: Int { 1_000 }

    /// The rows of a request whose condition or order follows relationships.
    ///
    /// - Parameters:
    ///   - plain: the part of the condition that follows no relationship.
    ///   - rest: the other part.
    private func evaluated(
        _ request: RowRequest, _ plain: RowPredicate, _ rest: RowPredicate
    ) throws(StorageError) -> [Row] {
        let source = PendingSource(state, store, reader)
        let rows: [Row]
        var wanted = RowRequest(
            entity: request.entity, includesSubentities: request.includesSubentities, predicate: plain)
        wanted.limit = Self.fewCount + 1
        let few = plain == .constant(true) ? nil : try overlaid(wanted)
        wanted.limit = nil
        if let few, few.count <= Self.fewCount {
            rows = sorted(matching(few, request, rest, source), request, source)
        } else if let owners = try AffectedOwners(state: state, store: store, reader: reader).keys(request) {
            let affected = try affected(request, plain, owners, source)
            let unchanged = UnchangedRows(state, store, request.entity)
            let stored = try storedRows(
                request, first: state.evaluator.window(request).end, skipping: owners.count, keepsPage: false
            ) { unchanged.contains($0) && !owners.contains($0) }
            rows = loading(request, of: request.order.isEmpty ? [] : stored, source) {
                sorted(affected + stored, request, source)
            }
        } else if plain == .constant(true) {
            rows = state.evaluator.rows(request, in: source)
        } else {
            rows = sorted(matching(try overlaid(wanted), request, rest, source), request, source)
        }
        if let failure = source.failure { throw failure }
        return rows
    }

    private func root(_ request: RowRequest) -> Int { state.layout.entities[request.entity].root }

    private func matching(
        _ rows: [Row], _ request: RowRequest, _ condition: RowPredicate, _ source: PendingSource
    ) -> [Row] {
        loading(request, of: rows, source) {
            let predicate = state.evaluator.predicate(condition)
            return rows.filter { predicate.matches($0, in: source) }
        }
    }

    /// Evaluates a closure that reads the relationships of a request for some rows.
    ///
    /// The objects of the rows are one batch, so that each of their to-many relationships is loaded by one request.
    private func loading(
        _ request: RowRequest, of rows: [Row], _ source: PendingSource, _ body: () -> [Row]
    ) -> [Row] {
        source.read(request.relationships, of: rows, root: root(request))
        let readsMembers = request.relationships.contains { index in
            let relationship = state.layout.relationships[index]
            return relationship.isToMany && state.layout.entities[relationship.owner].root == root(request)
        }
        let objects = readsMembers ? state.factory.objects(rows, request.entity, store) : []
        return withExtendedLifetime(objects, body)
    }

    /// Sorts rows, and returns the rows in the window of a request.
    private func sorted(_ rows: [Row], _ request: RowRequest, _ source: PendingSource) -> [Row] {
        let window = state.evaluator.window(request)
        let inKeyOrder = rows.sorted { $0.key < $1.key }
        let order = state.evaluator.order(request.order)
        return state.evaluator.cut(
            state.evaluator.sorted(inKeyOrder, by: order, in: source, limit: window.end), window)
    }

    /// Returns the matching rows of pending objects and of affected owners.
    private func affected(
        _ request: RowRequest, _ plain: RowPredicate, _ owners: Set<Int64>, _ source: PendingSource
    ) throws(StorageError) -> [Row] {
        let entities = state.evaluator.wantedEntities(request)
        let own = RowRequest(
            entity: request.entity, includesSubentities: request.includesSubentities, predicate: plain)
        let rows = source.rows(root: root(request), keys: owners).filter { entities?.contains($0.entity) ?? true }
        return matching(state.pendingLookup.rows(own, store) + rows, request, request.predicate, source)
    }
}

/// The related objects of conditions, with their pending changes.
extension PendingOverlay: RelatedRowSource {
    var layout: ModelLayout { state.layout }

    func relatedRows(_ request: RowRequest) throws(StorageError) -> [Row]? { try rows(request) }

    func owners(
        _ relationship: RelationshipLayout, of members: [Row], limit: Int
    ) throws(StorageError) -> [Int64: Int]? {
        let inverse = layout.relationships[relationship.inverse]
        var owners: [Int64: Int] = [:]
        for object in state.factory.objects(members, relationship.destination, store) {
            for owner in try state.loader.toMany(inverse, of: object) {
                owners[owner.id.key, default: 0] += 1
            }
            guard owners.count <= limit else { return nil }
        }
        return owners
    }
}
