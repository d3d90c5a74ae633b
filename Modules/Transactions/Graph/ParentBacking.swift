import CofferSchema
import CofferStorage

/// What a child transaction reads from: its parent, pending changes included.
final class ParentBacking: GraphBacking {
    private let parent: ObjectGraph

    init(_ parent: ObjectGraph) {
        self.parent = parent
    }

    var stores: [OpenStore] { parent.stores }

    var hasRemovedStores: Bool { parent.backing.hasRemovedStores }

    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader {
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
        // All that is needed is read before anything changes here: the child reads from here, and a read that failed
        // half-way would leave the changes half taken over.
        var updated: [(theirs: CoreStoreObject, own: CoreStoreObject)] = []
        for object in changes.flatMap(\.updated) {
            guard let own = try self.object(object.id) else {
                throw StorageError(.conflict, "\(object.id) was deleted in the parent transaction.")
            }
            updated.append((object, own))
        }
        let deleted = try objects(changes.flatMap(\.deleted).map(\.id))
        var theirs: [PendingOrder] = []
        var owners: [ObjectID: CoreStoreObject] = [:]
        for (side, owner) in child.pending.reordered where !owner.isDeleted {
            let keys = try child.relatedKeys(layout.relationships[side.relationship], of: owner)
            theirs.append(.init(side: side, owner: owner, keys: keys))
            // One that the child created is adopted first.
            owners[owner.id] = try object(owner.id)
        }
        for part in changes {
            for insert in part.set.inserts {
                if let own = adopt(insert.row.roomier(by: 0), in: part.store) { owners[own.id] = own }
            }
        }
        for (object, own) in updated {
            beginChange(own)
            copyChanges(of: object, to: own)
        }
        for own in deleted { markDeleted(own) }
        adoptLinks(of: child.pending, theirs, owners)
        pending.counted.formUnion(child.pending.counted)
        undo?.hasUnrecordedChanges = true
    }

    private func adoptLinks(
        of changes: PendingChanges, _ theirs: [PendingOrder], _ owners: [ObjectID: CoreStoreObject]
    ) {
        var orders = pendingOrders.filter { changes.reordered[$0.side] == nil }
        for link in changes.addedLinks where pending.removedLinks.remove(link) == nil {
            pending.addedLinks.insert(link)
        }
        for link in changes.removedLinks {
            if pending.addedLinks.remove(link) == nil { pending.removedLinks.insert(link) }
            for index in orders.indices {
                if let member = member(of: orders[index].side, by: link) { orders[index].remove(member) }
            }
        }
        for order in theirs {
            guard let own = owners[order.owner.id], !own.isDeleted else { continue }
            pending.reordered[order.side] = own
            orders.append(.init(side: order.side, owner: own, keys: order.keys))
        }
        forgetRelatedKeys(except: orders)
    }

    /// The member that a link gives to one side of a relationship; nil when it is of another.
    private func member(of side: PendingChanges.Side, by link: PendingChanges.Link) -> Int64? {
        guard case .links(let table, let isFirst) = layout.relationships[side.relationship].storage,
            table == link.table, side.owner == (isFirst ? link.first : link.second)
        else { return nil }
        return isFirst ? link.second.key : link.first.key
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
