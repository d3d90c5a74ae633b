import CofferSchema
import CofferStorage

/// What a child transaction reads from: its parent, pending changes included.
final class ParentBacking: GraphBacking {
    private let parent: ObjectGraph

    init(_ parent: ObjectGraph) {
        self.parent = parent
    }

    var stores: [OpenStore] { parent.stores }

    func makeReader(_ store: OpenStore) throws(StorageError) -> any StorageReader {
        ParentReader(parent, store)
    }
}

/// Reads one store as a parent transaction sees it.
///
/// Rows are copied where the parent may still write them.
private final class ParentReader: StorageReader {
    private let parent: ObjectGraph
    private let store: OpenStore

    init(_ parent: ObjectGraph, _ store: OpenStore) {
        self.parent = parent
        self.store = store
    }

    func rows(_ request: RowRequest) throws(StorageError) -> [Row] {
        try parent.rows(store, request, pending: true).map(frozen)
    }

    func keys(_ request: RowRequest) throws(StorageError) -> [Int64] {
        try parent.rows(store, request, pending: true).map(\.key)
    }

    func count(_ request: RowRequest) throws(StorageError) -> Int {
        try parent.rows(store, request, pending: true).count
    }

    func values(_ request: ValueRequest) throws(StorageError) -> [[Value]] {
        try parent.read(store, "query") { reader throws(StorageError) in try reader.values(request) }
    }

    func row(root: Int, key: Int64) throws(StorageError) -> Row? {
        try parent.object(ObjectID(storage: store.keySpaces[root], key: key)).map { frozen($0.row) }
    }

    func rows(root: Int, keys: [Int64]) throws(StorageError) -> [Row] {
        let ids = keys.map { ObjectID(storage: store.keySpaces[root], key: $0) }
        return try parent.objects(ids).map { frozen($0.row) }
    }

    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let layout = parent.layout.relationships[relationship]
        let ids = owners.map { ObjectID(storage: store.keySpaces[layout.owner], key: $0) }
        var result: [RelatedRows] = []
        for owner in try parent.objects(ids) {
            let members = try parent.toMany(layout, of: owner)
            result.append(RelatedRows(owner: owner.id.key, rows: members.map { frozen($0.row) }))
        }
        return result
    }

    func finish() {}

    private func frozen(_ row: Row) -> Row { row.roomier(by: 0) }
}

extension ObjectGraph {
    /// Takes over the changes of a child transaction as pending ones.
    ///
    /// - Throws: `conflict` when an object that the child changed was deleted here; nothing is taken over then.
    func adopt(_ changes: [StoreChanges], from child: ObjectGraph) throws(StorageError) {
        for object in changes.flatMap(\.updated) where try self.object(object.id) == nil {
            throw StorageError(.conflict, "\(object.id) was deleted in the parent transaction.")
        }
        for part in changes {
            for insert in part.set.inserts { _ = adopt(insert.row.roomier(by: 0), in: part.store) }
            for object in part.updated {
                guard let own = try self.object(object.id) else { continue }
                beginChange(own)
                copyChanges(of: object, to: own)
            }
            for object in part.deleted { if let own = try self.object(object.id) { markDeleted(own) } }
        }
        for link in child.pending.addedLinks where pending.removedLinks.remove(link) == nil {
            pending.addedLinks.insert(link)
        }
        for link in child.pending.removedLinks where pending.addedLinks.remove(link) == nil {
            pending.removedLinks.insert(link)
        }
        forgetRelatedKeys()
        for (side, owner) in child.pending.reordered {
            guard let own = try object(owner.id) else { continue }
            pending.reordered[side] = own
            own.attachRelatedKeys(owner.attachment?.relatedKeys[side.relationship] ?? [], side.relationship)
        }
        pending.counted.formUnion(child.pending.counted)
        undo?.hasUnrecordedChanges = true
    }

    private func copyChanges(of object: CoreStoreObject, to own: CoreStoreObject) {
        own.row = own.row.roomier(by: object.row.tailSize)
        let kinds = layout.entities[own.row.entity].kinds
        for slot in object.changed.slots {
            own.row.copy(slot, kinds[slot], from: object.row)
            own.markChanged(slot)
        }
    }

    private func markDeleted(_ object: CoreStoreObject) {
        let wasInserted = object.state.contains(.isInserted)
        object.state.insert(.isDeleted)
        if !wasInserted { pending.deleted.append(object) }
    }
}
