import CofferClauses
import CofferSchema
import CofferStorage
import CofferStorageTools
import Foundation

/// Finds the pending objects that may match a request; uses an index if there are at least 32 pending objects.
struct PendingLookup {
    let state: ContextState

    init(_ state: ContextState) { self.state = state }

    /// With fewer pending objects, trying each costs less than the index does.
    private static var indexedCount: Int { 32 }

    private var pendingCount: Int {
        state.pending.inserted.count + state.pending.updated.count + state.pending.deleted.count
    }

    /// The column and values by which the index finds the pending objects of a request; nil where all have to be tried.
    func lookUp(_ request: RowRequest, _ store: OpenStore) -> (column: PendingIndex.Column, values: [Value])? {
        guard pendingCount >= Self.indexedCount else { return nil }
        return lookUp(request.predicate, request.entity, store.keySpaces[request.entity])
    }

    private func lookUp(
        _ predicate: RowPredicate, _ entity: Int, _ storage: UInt32
    ) -> (column: PendingIndex.Column, values: [Value])? {
        switch predicate {
        case .compare(.column(let slot, let kind), .equal, .value(let value)),
            .compare(.value(let value), .equal, .column(let slot, let kind)):
            guard let key = value.key(kind) else { return nil }
            return (.init(storage: storage, entity: entity, slot: slot, kind: kind), [key])
        case .isIn(.column(let slot, let kind), let values) where values.count <= pendingCount:
            var keys: [Value] = []
            keys.reserveCapacity(values.count)
            for value in values {
                guard let key = value.key(kind) else { return nil }
                keys.append(key)
            }
            return (.init(storage: storage, entity: entity, slot: slot, kind: kind), keys)
        case .and(let parts):
            for part in parts { if let found = lookUp(part, entity, storage) { return found } }
            return nil
        default: return nil
        }
    }

    private func objects(_ column: PendingIndex.Column, _ values: [Value]) -> [CoreStoreObject] {
        state.pendingIndex.objects(
            column, values, inserted: state.pending.inserted, updated: state.pending.updated, state.layout)
    }

    /// The pending objects that a request may match, found by the index; nil where all have to be tried.
    func indexed(_ request: RowRequest, _ store: OpenStore) -> [CoreStoreObject]? {
        guard let (column, values) = lookUp(request, store) else { return nil }
        return objects(column, values).filter { isMember($0, request) }
    }

    /// The keys of the stored rows whose objects were changed or deleted here.
    func pendingKeys(of rows: [Row], _ store: OpenStore, _ entity: Int) -> Set<Int64> {
        guard let table = state.identities.table(store.keySpaces[entity]) else { return [] }
        var keys: Set<Int64> = []
        for row in rows {
            guard let object = table.object(row.key) else { continue }
            if !object.state.isDisjoint(with: [.isInserted, .isUpdated, .isDeleted]) { keys.insert(row.key) }
        }
        return keys
    }

    /// The pending object of an entity or its sub-entities whose column has a value; the one with the least key where
    /// there are several.
    package func pendingObject(
        _ entity: Int, in store: OpenStore, slot: Int, _ kind: ColumnKind, _ value: Value
    ) -> CoreStoreObject? {
        let column = PendingIndex.Column(storage: store.keySpaces[entity], entity: entity, slot: slot, kind: kind)
        var found: CoreStoreObject?
        let (inserted, updated) = (state.pending.inserted, state.pending.updated)
        state.pendingIndex.forEachObject(column, value, inserted: inserted, updated: updated, state.layout) { object in
            guard !object.isDeleted, object.row.holds(slot), object.row.hasValue(value, slot, kind) else { return }
            if found.map({ object.id.key < $0.id.key }) ?? true { found = object }
        }
        return found
    }

    func isMember(_ object: CoreStoreObject, _ request: RowRequest) -> Bool {
        request.includesSubentities
            ? state.layout.entity(object.row.entity, isKindOf: request.entity) : object.row.entity == request.entity
    }
}
