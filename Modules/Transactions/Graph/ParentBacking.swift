import CofferSchema
import CofferStorage

/// What a child transaction reads from: its parent, pending changes included.
final class ParentBacking: GraphBacking {
    let parent: ObjectGraph

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
    /// The delete rules are followed again for what the child deleted: this transaction may have related other objects to
    /// it since.
    ///
    /// - Throws: `conflict` when an object that the child changed or references was deleted here; nothing is taken over
    ///   then.
    func adopt(_ changes: [StoreChanges], from child: ObjectGraph) throws(StorageError) {
        let existing = try existingTargets(of: changes, from: child)
        var updated: [(theirs: CoreStoreObject, own: CoreStoreObject)] = []
        for object in changes.flatMap(\.updated) {
            guard let own = try self.object(object.id) else {
                if child.hasOnlyNullifiedColumns(object) { continue }
                throw StorageError(
                    .conflict,
                    "\(object.id) was deleted in the parent transaction while the child transaction changed it. Delete or "
                        + "refresh it in the child, and commit again.", operation: "save")
            }
            updated.append((object, own))
        }
        let deleted = try objects(changes.flatMap(\.deleted).map(\.id))
        let cascades = try cascades(of: child)
        var partners: [Partner] = []
        for (_, own) in updated { partners += try self.partners(of: own) }
        // What reads after the first change, or notes what it reads, can fail and must be taken back.
        let before = deleted.isEmpty && !throwsOnConflict ? nil : moment()
        do throws(StorageError) {
            let orders = try mergedOrders(of: child, among: existing)
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
                copyChanges(of: object, to: own, nullified: child.pending.nullified)
            }
            // An object that the child has given another partner leaves the one that it has here.
            for known in partners
            where known.object.row.isNull(known.slot) || known.object.row.integer(known.slot) != known.partner.id.key {
                end(known.inverseSlot, of: known.partner, with: known.object)
            }
            pending.changesPartners = pending.changesPartners || child.pending.changesPartners
            adoptLinks(of: child.pending, among: existing, orders, owners)
            pending.counted.formUnion(child.pending.counted)
            if !changes.isEmpty || orders.values.contains(where: \.isChanged) { undo?.hasUnrecordedChanges = true }
            try delete(deleted)
            pending.cascades.merge(cascades) { known, _ in known }
        } catch {
            goBack(to: before)
            throw error
        }
    }

    /// What a child transaction deleted by cascades: what the stores relate to the deleted owners as well.
    ///
    /// - Throws: `conflict` when an object was taken out of the relationship here while the child was open.
    private func cascades(of child: ObjectGraph) throws(StorageError) -> [ObjectID: PendingChanges.Cascade] {
        var stored: [ObjectID: PendingChanges.Cascade] = [:]
        var members: [PendingChanges.Side: Set<ObjectID>] = [:]
        for (id, cascade) in child.pending.cascades.sorted(by: { $0.key.key < $1.key.key }) {
            guard let member = try object(id) else { continue }
            let relationship = layout.relationships[cascade.relationship]
            let side = PendingChanges.Side(relationship: relationship.index, owner: cascade.owner)
            let owner = try object(cascade.owner)
            if members[side] == nil {
                let related = if let owner { try relatedObjects(relationship, of: owner) } else { [CoreStoreObject]() }
                members[side] = Set(related.map(\.id))
            }
            guard let owner, members[side]?.contains(id) == true else { throw child.conflict(id, cascade) }
            if isStored(relationship, of: owner, member) { stored[id] = cascade }
        }
        return stored
    }

    private typealias Partner = (object: CoreStoreObject, slot: Int, partner: CoreStoreObject, inverseSlot: Int)

    /// The objects at the other ends of an object's one-to-one relationships, with the slots at both ends.
    private func partners(of object: CoreStoreObject) throws(StorageError) -> [Partner] {
        var partners: [Partner] = []
        guard !layout.entities[object.row.entity].partnerSlots.isEmpty else { return partners }
        for index in layout.entities[object.row.entity].relationships {
            let relationship = layout.relationships[index]
            guard case .reference(let slot, _) = relationship.storage,
                case .reference(let inverseSlot, _) = layout.relationships[relationship.inverse].storage,
                let partner = try toOne(relationship, of: object)
            else { continue }
            partners.append((object, slot, partner, inverseSlot))
        }
        return partners
    }

    /// Gives objects of a child transaction, just committed, the values that its parent shows.
    func takeOver(_ objects: [CoreStoreObject], from parent: ObjectGraph) throws(StorageError) {
        for object in objects {
            guard let own = try parent.object(object.id) else { continue }
            object.row = own.row.roomier(by: 0)
            forgetVirtualValues(of: object)
        }
    }

    /// The targets of the references and links that a child transaction adds, if they exist here or are new.
    ///
    /// - Throws: `conflict` when the target of a reference does not exist here any more.
    private func existingTargets(
        of changes: [StoreChanges], from child: ObjectGraph
    ) throws(StorageError) -> Set<ObjectID> {
        let references = changes.flatMap { child.newReferences(in: $0) }
        var targets = Set(references.map(\.target))
        for link in child.pending.addedLinks { targets.formUnion([link.first, link.second]) }
        var existing = targets.intersection(child.pending.inserted.lazy.filter { !$0.isDeleted }.map(\.id))
        let others = targets.subtracting(existing)
        let loaded = try objects(Array(others))
        for id in others where try object(id) != nil { existing.insert(id) }
        withExtendedLifetime(loaded) {}
        for reference in references where !existing.contains(reference.target) {
            throw StorageError(
                .conflict,
                "'\(reference.relationship.name)' of \(reference.object.id) references \(reference.target), which was "
                    + "deleted in the parent transaction. Set the relationship again and repeat.", operation: "save")
        }
        return existing
    }

    private typealias AdoptedOrder = (base: [Int64], current: [Int64], isChanged: Bool)

    /// The orders that are pending in a child, made on those that this transaction shows.
    ///
    /// Asked before anything changes here, since the child reads from here.
    ///
    /// - Parameter existing: the new members that exist here.
    private func mergedOrders(
        of child: ObjectGraph, among existing: Set<ObjectID>
    ) throws(StorageError) -> [PendingChanges.Side: AdoptedOrder] {
        var orders: [PendingChanges.Side: AdoptedOrder] = [:]
        for (side, owner) in child.pending.reordered where !owner.isDeleted {
            let relationship = layout.relationships[side.relationship]
            let theirs = try child.relatedKeys(relationship, of: owner)
            var own: [Int64] = []
            if let object = try object(side.owner) { own = try relatedKeys(relationship, of: object) }
            let merge = OrderedMerge(base: child.pending.bases[side] ?? theirs, current: theirs, stored: own)
            let added = child.addedMembers(side)
            let known = Set(own)
            let space = store(of: owner)?.keySpaces[relationship.destination] ?? .max
            // What the child took out and put back is new to a relationship that lost it here.
            let kept = Set(merge.keys)
            let keys = (merge.keys + added.filter { !kept.contains($0) }.sorted())
                .filter { known.contains($0) || existing.contains(ObjectID(storage: space, key: $0)) }
            orders[side] = (pending.bases[side] ?? own, keys, keys != own)
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
        of changes: PendingChanges, among existing: Set<ObjectID>, _ theirs: [PendingChanges.Side: AdoptedOrder],
        _ owners: [ObjectID: CoreStoreObject]
    ) {
        var orders = pendingOrders.filter { theirs[$0.side] == nil }
        for link in changes.addedLinks where existing.contains(link.first) && existing.contains(link.second) {
            if pending.removedLinks.remove(link) == nil { pending.addedLinks.insert(link) }
        }
        for link in changes.removedLinks where pending.addedLinks.remove(link) == nil {
            pending.removedLinks.insert(link)
        }
        noteStaleChildren()
        for index in orders.indices { orders[index].removeMembers(of: changes.removedLinks, layout) }
        for (side, keys) in theirs {
            guard let own = owners[side.owner], !own.isDeleted else { continue }
            pending.reordered[side] = own
            orders.append(.init(side: side, owner: own, order: .init(base: keys.base, current: keys.current)))
        }
        forgetRelatedKeys(except: orders)
    }

    /// Takes over the values that a child changed.
    ///
    /// A property that it set to its value is no change, as in a commit.
    ///
    /// - Parameter nullified: the references that delete rules set to nil in the child. Where the object was given another
    ///   target here, it keeps that.
    private func copyChanges(
        of object: CoreStoreObject, to own: CoreStoreObject, nullified: Set<PendingChanges.Field>
    ) {
        own.row = own.row.roomier(by: object.row.tailSize)
        let kinds = layout.entities[own.row.entity].kinds
        var columns = object.base.map { savedColumns(of: object, $0) } ?? object.changed
        let entity = layout.entities[own.row.entity]
        let references = entity.references.map { (slot: $0.slot, place: $0.positionSlot) }
        for (slot, place) in references + entity.partnerSlots.map({ ($0, nil) }) where columns.contains(slot) {
            let field = PendingChanges.Field(owner: own.id, slot: slot)
            guard nullified.contains(field), let base = object.base else {
                // The program has set it in the child.
                pending.nullified.remove(field)
                continue
            }
            if !base.hasSameValue(slot, .reference, as: own.row) {
                columns.remove(slot)
                if let place { columns.remove(place) }
            } else if let stored = own.base, stored.hasSameValue(slot, .reference, as: base) {
                pending.nullified.insert(field)
            }
        }
        for slot in columns.slots {
            own.row.copy(slot, kinds[slot], from: object.row)
            own.markChanged(slot)
        }
        forgetVirtualValues(of: own)
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
