import CofferEvaluation
import CofferSchema
import CofferStorage
import CofferStorageTools

/// Finds the pending objects that match a request without relationships; uses an index if an index helps.
struct PendingLookup {
    let state: ContextState

    /// With fewer pending objects, evaluating each of them costs less than the index.
    private static var indexedCount: Int { 32 }
    /// With at most this many objects to evaluate, the search for a better access ends.
    private static var fewCount: Int { 64 }

    // MARK: Requests that pending changes affect

    /// Whether a pending change may change the result of a request to a store.
    func mayChange(_ request: RowRequest, _ store: OpenStore) -> Bool {
        if state.pending.isEmpty { return false }
        let relationships = request.relationships
        guard relationships.isEmpty else { return mayChange(relationships, store) }
        guard let touched = touchedEntities(in: store.keySpaces[request.entity]) else { return false }
        return touched.slots.contains { isWanted($0, request) }
    }

    /// Whether a pending change may change the related objects of one of the relationships, or their values.
    private func mayChange(_ relationships: Set<Int>, _ store: OpenStore) -> Bool {
        if !state.pending.addedLinks.isEmpty || !state.pending.removedLinks.isEmpty { return true }
        return relationships.contains { index in
            let relationship = state.layout.relationships[index]
            return [relationship.owner, relationship.destination].contains {
                touchedEntities(in: store.keySpaces[$0]) != nil
            }
        }
    }

    private func touchedEntities(in storage: UInt32) -> ColumnSet? {
        state.pendingIndex.touched.entities(in: storage, state.pending)
    }

    /// Whether a request asks for the objects of an entity.
    private func isWanted(_ entity: Int, _ request: RowRequest) -> Bool {
        entity == request.entity
            || (request.includesSubentities && state.layout.entity(entity, isKindOf: request.entity))
    }

    // MARK: Rows

    private var pendingCount: Int { state.pending.inserted.count + state.pending.updated.count }

    /// Returns the rows of pending objects that match a request, in the order of the request.
    ///
    /// The list contains all matching rows, or at least the rows up to the end of the request's window.
    func rows(_ request: RowRequest, _ store: OpenStore) -> [Row] {
        guard pendingCount > 0 else { return [] }
        let predicate = state.evaluator.predicate(request.predicate)
        let source = EmptySource(layout: state.layout)
        let matches = { (object: CoreStoreObject) in
            state.visitedPendingCount += 1
            return isPending(object) && isWanted(object.held.lent { $0.entity }, request)
                && predicate.matches(object.row, in: source)
        }
        let order = state.evaluator.order(request.order)
        guard pendingCount >= Self.indexedCount else {
            return sorted(all(in: store.keySpaces[request.entity]).filter(matches).map(\.row), order)
        }
        let planner = PendingAccessPlanner(
            entity: request.entity, storage: store.keySpaces[request.entity], valueLimit: pendingCount)
        let accesses = planner.accesses(request.predicate)
        let end = state.evaluator.window(request).end
        let walk = end == nil ? nil : PendingWalk(request, accesses, planner.storage)
        // The loop chooses the access that visits the fewest objects, or not many more.
        var limit = Self.fewCount
        while true {
            if let access = access(accesses, below: limit) {
                return sorted(objects(access).filter(matches).map(\.row), order)
            }
            if let walk, let end, end <= limit {
                let list = list(walk.column)
                let first = walk.first(end, of: list, budget: limit * 2, matches) { sorted($0, order) }
                if let first { return first }
            }
            guard limit <= pendingCount else { break }
            limit *= 8
        }
        return sorted(all(in: planner.storage).filter(matches).map(\.row), order)
    }

    private func sorted(_ rows: [Row], _ order: CompiledOrder) -> [Row] {
        guard rows.count > 1 else { return rows }
        let inKeyOrder = rows.sorted { $0.key < $1.key }
        return state.evaluator.sorted(inKeyOrder, by: order, in: EmptySource(layout: state.layout), limit: nil)
    }

    /// Returns all pending objects of a key space; may include deleted objects.
    private func all(in storage: UInt32) -> [CoreStoreObject] {
        [state.pending.inserted, state.pending.updated].joined().filter { $0.id.storage == storage }
    }

    private func isPending(_ object: CoreStoreObject) -> Bool {
        !object.isDeleted && !object.state.isDisjoint(with: [.isInserted, .isUpdated])
    }

    // MARK: Accesses

    /// Returns an access with fewer objects than a limit; nil if there is none.
    private func access(_ accesses: [PendingAccess], below limit: Int) -> PendingAccess? {
        accesses.first { $0.isExact && count($0, upTo: limit) < limit }
            ?? accesses.first { !$0.isExact && count($0, upTo: limit) < limit }
    }

    private func count(_ access: PendingAccess, upTo limit: Int) -> Int {
        switch access {
        case .keys(_, let keys): keys.count
        case .values(let column, let values):
            state.pendingIndex.count(
                column, values, upTo: limit, inserted: state.pending.inserted, updated: state.pending.updated,
                state.layout)
        case .range(let column, let range): list(column).count(range, upTo: limit)
        case .any(let parts): parts.reduce(0) { $0 < limit ? $0 + count($1, upTo: limit - $0) : $0 }
        }
    }

    private func list(_ column: PendingColumn) -> PendingList {
        state.pendingIndex.list(
            column, inserted: state.pending.inserted, updated: state.pending.updated, state.layout)
    }

    /// Returns the objects of an access without duplicates.
    ///
    /// The result may include deleted objects, and objects that do not match.
    private func objects(_ access: PendingAccess) -> [CoreStoreObject] {
        switch access {
        case .keys(let storage, let keys):
            guard let table = state.identities.table(storage) else { return [] }
            return Set(keys).compactMap(table.object)
        case .values(let column, let values):
            return state.pendingIndex.objects(
                column, values, inserted: state.pending.inserted, updated: state.pending.updated, state.layout)
        case .range(let column, let range):
            var objects: [CoreStoreObject] = []
            list(column).forEachObject(range) {
                objects.append($0)
                return true
            }
            return objects
        case .any(let parts):
            return parts.flatMap(objects).unique { ObjectIdentifier($0) }
        }
    }

    // MARK: One object

    /// Returns the pending object of an entity or its sub-entities whose column has a value.
    ///
    /// If there are several, the object with the least key is returned.
    package func pendingObject(
        _ entity: Int, in store: OpenStore, slot: Int, _ kind: ColumnKind, _ value: Value
    ) -> CoreStoreObject? {
        let column = PendingColumn(storage: store.keySpaces[entity], entity: entity, slot: slot, kind: kind)
        var found: CoreStoreObject?
        let (inserted, updated) = (state.pending.inserted, state.pending.updated)
        state.pendingIndex.forEachObject(column, value, inserted: inserted, updated: updated, state.layout) { object in
            guard !object.isDeleted, object.row.holds(slot), object.row.hasValue(value, slot, kind) else { return }
            if found.map({ object.id.key < $0.id.key }) ?? true { found = object }
        }
        return found
    }
}
