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

    /// What is pending in the parent has no places yet, and a child needs none.
    func members(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedMembers] {
        try related(relationship, of: owners).map { related in
            RelatedMembers(owner: related.owner, members: related.rows.map { .init(key: $0.key, place: nil) })
        }
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
        let orders = try mergedOrders(of: child)
        var owners: [ObjectID: CoreStoreObject] = [:]
        // One that the child created is adopted first.
        for side in orders.keys { owners[side.owner] = try object(side.owner) }
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
        adoptLinks(of: child.pending, orders, owners)
        pending.counted.formUnion(child.pending.counted)
        undo?.hasUnrecordedChanges = true
    }

    /// The orders that are pending in a child, made on those that this transaction shows.
    ///
    /// Asked before anything changes here, since the child reads from here.
    private func mergedOrders(
        of child: ObjectGraph
    ) throws(StorageError) -> [PendingChanges.Side: (base: [Int64], current: [Int64])] {
        var orders: [PendingChanges.Side: (base: [Int64], current: [Int64])] = [:]
        for (side, owner) in child.pending.reordered where !owner.isDeleted {
            let relationship = layout.relationships[side.relationship]
            let theirs = try child.relatedKeys(relationship, of: owner)
            var own: [Int64] = []
            if let object = try object(side.owner) { own = try relatedKeys(relationship, of: object) }
            let merge = OrderedMerge(base: child.pending.bases[side] ?? theirs, current: theirs, stored: own)
            orders[side] = (pending.bases[side] ?? own, merge.keys)
        }
        if throwsOnConflict {
            for side in child.pending.assigned {
                guard let object = try object(side.owner) else { continue }
                _ = try relatedKeys(layout.relationships[side.relationship], of: object)
                noteAssigned(side, object)
            }
        }
        return orders
    }

    private func adoptLinks(
        of changes: PendingChanges, _ theirs: [PendingChanges.Side: (base: [Int64], current: [Int64])],
        _ owners: [ObjectID: CoreStoreObject]
    ) {
        var orders = pendingOrders.filter { theirs[$0.side] == nil }
        for link in changes.addedLinks where pending.removedLinks.remove(link) == nil {
            pending.addedLinks.insert(link)
        }
        for link in changes.removedLinks where pending.addedLinks.remove(link) == nil {
            pending.removedLinks.insert(link)
        }
        for index in orders.indices { orders[index].removeMembers(of: changes.removedLinks, layout) }
        for (side, keys) in theirs {
            guard let own = owners[side.owner], !own.isDeleted else { continue }
            pending.reordered[side] = own
            orders.append(.init(side: side, owner: own, order: .init(base: keys.base, current: keys.current)))
        }
        forgetRelatedKeys(except: orders)
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

extension ObjectGraph.PendingOrder {
    /// Takes out the members whose links a child transaction has removed.
    fileprivate mutating func removeMembers(of links: Set<PendingChanges.Link>, _ layout: ModelLayout) {
        guard case .links(let table, _) = layout.relationships[side.relationship].storage else { return }
        let sides = layout.linkTables[table]
        for link in links where link.table == table {
            for (relationship, owner, member) in [
                (sides.first, link.first, link.second), (sides.second, link.second, link.first),
            ] where relationship == side.relationship && owner == side.owner {
                order?.current.removeAll { $0 == member.key }
                delta?.order?.current.removeAll { $0 == member.key }
                guard delta != nil, delta?.order == nil else { continue }
                delta?.added.removeAll { $0 == member.key }
                delta?.removed.insert(member.key)
            }
        }
    }
}
