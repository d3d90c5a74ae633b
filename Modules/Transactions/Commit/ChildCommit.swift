import CofferSchema
import CofferStorage
import CofferStorageTools

/// Commits a child transaction: applies its changes to the parent; throws `conflict` for objects deleted in the parent.
struct ChildCommit {
    let state: ContextState

    /// Commits a child transaction to the parent.
    func commit(_ child: ContextState) throws(StorageError) {
        try ChangeValidator(state: child).check()
        let changes = try ChangePlanner(state: child).makeChanges(placesMembers: false)
        try adopt(changes, from: child)
        CommitRecorder(state: child).didCommit([])
        try show(changes.flatMap(\.updated), of: child)
    }

    /// Applies the changes of a child transaction to this transaction as pending changes.
    ///
    /// The delete rules are applied again to the objects that the child deleted. This transaction may have related
    /// other objects to them since.
    ///
    /// - Throws: `conflict` if this transaction deleted an object that the child changed or references. Then, no
    ///   change is applied.
    private func adopt(_ changes: [StoreChanges], from child: ContextState) throws(StorageError) {
        let existing = try existingTargets(of: changes, from: child)
        var updated: [(theirs: CoreStoreObject, own: CoreStoreObject)] = []
        for object in changes.flatMap(\.updated) {
            guard let own = try state.finder.object(object.id) else {
                if child.merger.hasOnlyNullifiedColumns(object) { continue }
                throw StorageError(
                    .conflict,
                    "\(object.id) was deleted in the parent transaction while the child transaction changed it. Delete or "
                        + "refresh it in the child, and commit again.", operation: "save")
            }
            updated.append((object, own))
        }
        let deleted = try state.finder.objects(changes.flatMap(\.deleted).map(\.id))
        let cascades = try cascades(of: child)
        var partners: [Partner] = []
        for (_, own) in updated { partners += try self.partners(of: own) }
        // Reads after the first change can fail, and so can the recording of reads. The savepoint then restores the
        // state.
        let before = deleted.isEmpty && !state.throwsOnConflict ? nil : state.savepoints.moment()
        do throws(StorageError) {
            let orders = try mergedOrders(of: child, among: existing)
            var owners: [ObjectID: CoreStoreObject] = [:]
            // An owner that the child created is not known here yet; it is added below.
            for side in orders.keys { owners[side.owner] = try state.finder.object(side.owner) }
            for part in changes {
                for insert in part.set.inserts {
                    if let own = state.factory.adopt(insert.row, in: part.store) { owners[own.id] = own }
                }
            }
            for (object, own) in updated {
                state.editor.beginChange(own)
                copyChanges(of: object, to: own, nullified: child.pending.nullified)
            }
            // If the child gave an object another related object, the former related object here loses its reference
            // to it.
            for known in partners
            where known.object.row.integerIfAny(known.slot) != known.partner.id.key {
                state.relationshipEditor.end(known.inverseSlot, of: known.partner, with: known.object)
            }
            state.pending.changesPartners = state.pending.changesPartners || child.pending.changesPartners
            adoptLinks(of: child.pending, among: existing, orders, owners)
            state.pending.counted.formUnion(child.pending.counted)
            if !changes.isEmpty || orders.values.contains(where: \.isChanged) {
                state.undo?.hasUnrecordedChanges = true
            }
            try state.deleter.delete(deleted)
            state.pending.cascades.merge(cascades) { known, _ in known }
        } catch {
            state.savepoints.goBack(to: before)
            throw error
        }
    }

    /// Returns the objects that the child deleted by cascades and that the stores relate to the deleted owners.
    ///
    /// - Throws: `conflict` if an object was removed from the relationship here while the child was open.
    private func cascades(of child: ContextState) throws(StorageError) -> [ObjectID: PendingChanges.Cascade] {
        var stored: [ObjectID: PendingChanges.Cascade] = [:]
        var members: [PendingChanges.Side: Set<ObjectID>] = [:]
        for (id, cascade) in child.pending.cascades.sorted(by: { $0.key.key < $1.key.key }) {
            guard let member = try state.finder.object(id) else { continue }
            let relationship = state.layout.relationships[cascade.relationship]
            let side = PendingChanges.Side(relationship: relationship.index, owner: cascade.owner)
            let owner = try state.finder.object(cascade.owner)
            if members[side] == nil {
                let related =
                    if let owner { try state.loader.relatedObjects(relationship, of: owner) } else {
                        [CoreStoreObject]()
                    }
                members[side] = Set(related.map(\.id))
            }
            guard let owner, members[side]?.contains(id) == true else {
                throw child.cascadeCheck.conflict(id, cascade)
            }
            if state.deltas.isStored(relationship, of: owner, member) { stored[id] = cascade }
        }
        return stored
    }

    private typealias Partner = (object: CoreStoreObject, slot: Int, partner: CoreStoreObject, inverseSlot: Int)

    /// Returns the related objects of an object's one-to-one relationships, with the slots of both objects.
    private func partners(of object: CoreStoreObject) throws(StorageError) -> [Partner] {
        var partners: [Partner] = []
        guard !state.layout.entities[object.row.entity].partnerSlots.isEmpty else { return partners }
        for index in state.layout.entities[object.row.entity].relationships {
            let relationship = state.layout.relationships[index]
            guard case .reference(let slot, _) = relationship.storage,
                case .reference(let inverseSlot, _) = state.layout.relationships[relationship.inverse].storage,
                let partner = try state.loader.toOne(relationship, of: object)
            else { continue }
            partners.append((object, slot, partner, inverseSlot))
        }
        return partners
    }

    /// Sets the objects of a child transaction to the values in its parent, after the commit of the child.
    private func show(_ objects: [CoreStoreObject], of child: ContextState) throws(StorageError) {
        for object in objects {
            guard let own = try state.finder.object(object.id) else { continue }
            child.editor.replaceRow(of: object, with: own.row)
        }
    }

    /// Returns the targets of the child's new references and links that exist here or are new.
    ///
    /// - Throws: `conflict` if the target of a reference does not exist here any more.
    private func existingTargets(
        of changes: [StoreChanges], from child: ContextState
    ) throws(StorageError) -> Set<ObjectID> {
        let references = changes.flatMap { TargetCheck(state: child).newReferences(in: $0) }
        var targets = Set(references.map(\.target))
        for link in child.pending.addedLinks { targets.formUnion([link.first, link.second]) }
        var existing = targets.intersection(child.pending.inserted.lazy.filter { !$0.isDeleted }.map(\.id))
        let others = targets.subtracting(existing)
        let loaded = try state.finder.objects(Array(others))
        for id in others where try state.finder.object(id) != nil { existing.insert(id) }
        withExtendedLifetime(loaded) {}
        for reference in references where !existing.contains(reference.target) {
            throw StorageError(
                .conflict,
                "'\(reference.relationship.name)' of \(reference.object.id) references \(reference.target), which was "
                    + "deleted in the parent transaction. Set the relationship and commit again.", operation: "save")
        }
        return existing
    }

    private typealias AdoptedOrder = (base: [Int64], current: [Int64], isChanged: Bool)

    /// Returns the pending orders of a child, merged with the orders of this transaction.
    ///
    /// This method must run before any change here, because the child reads from this transaction.
    ///
    /// - Parameter existing: the objects that exist here or are new, among the targets of the child's references and
    ///   links.
    private func mergedOrders(
        of child: ContextState, among existing: Set<ObjectID>
    ) throws(StorageError) -> [PendingChanges.Side: AdoptedOrder] {
        var orders: [PendingChanges.Side: AdoptedOrder] = [:]
        let added = child.deltas.orderedMembers(of: child.pending.addedLinks)
        for (side, owner) in child.pending.reordered where !owner.isDeleted {
            let relationship = state.layout.relationships[side.relationship]
            let theirs = try child.loader.relatedKeys(relationship, of: owner)
            var own: [Int64] = []
            if let object = try state.finder.object(side.owner) {
                own = try state.loader.relatedKeys(relationship, of: object)
            }
            let merge = OrderedMerge(base: child.pending.bases[side] ?? theirs, current: theirs, stored: own)
            let known = Set(own)
            guard let store = state.identities.store(of: owner) else { continue }
            // A member that the child removed and added again is new to a relationship that lost it here.
            let kept = Set(merge.keys)
            let keys = (merge.keys + (added[side] ?? []).filter { !kept.contains($0) }.sorted())
                .filter { known.contains($0) || existing.contains(store.id($0, of: relationship.destination)) }
            orders[side] = (state.pending.bases[side] ?? own, keys, keys != own)
        }
        if state.throwsOnConflict {
            for side in child.pending.assigned {
                guard let object = try state.finder.object(side.owner) else { continue }
                _ = try state.loader.relatedKeys(state.layout.relationships[side.relationship], of: object)
                state.deltas.noteAssigned(side, object)
            }
        }
        return orders
    }

    private func adoptLinks(
        of changes: PendingChanges, among existing: Set<ObjectID>, _ theirs: [PendingChanges.Side: AdoptedOrder],
        _ owners: [ObjectID: CoreStoreObject]
    ) {
        var orders = state.deltas.pendingOrders.filter { theirs[$0.side] == nil }
        for link in changes.addedLinks where existing.contains(link.first) && existing.contains(link.second) {
            state.pending.add(link)
        }
        for link in changes.removedLinks { state.pending.remove(link) }
        state.noteStaleChildren()
        let removed = state.deltas.orderedMembers(of: changes.removedLinks)
        for index in orders.indices { orders[index].remove(removed[orders[index].side] ?? []) }
        for (side, keys) in theirs {
            guard let own = owners[side.owner], !own.isDeleted else { continue }
            state.pending.reordered[side] = own
            orders.append(
                .init(side: side, owner: own, order: .init(base: keys.base, current: MemberKeys(keys.current))))
        }
        state.deltas.forgetRelatedKeys(except: orders)
    }

    /// Copies the values that a child changed to the parent's object.
    ///
    /// A property that the child set to its stored value is no change, as in a commit.
    ///
    /// - Parameter nullified: the references that delete rules set to nil in the child. If the object references
    ///   another target here, it keeps this target.
    private func copyChanges(
        of object: CoreStoreObject, to own: CoreStoreObject, nullified: Set<PendingChanges.Field>
    ) {
        var columns = object.base.map { state.merger.savedColumns(of: object, $0) } ?? object.changed
        for (slot, place) in state.layout.toOneSlots(of: own.row) where columns.contains(slot) {
            let field = PendingChanges.Field(owner: own.id, slot: slot)
            guard nullified.contains(field), let base = object.base else {
                // The program set the reference in the child.
                state.pending.nullified.remove(field)
                continue
            }
            if !base.hasSameValue(slot, .reference, as: own.row) {
                columns.remove(slot)
                if let place { columns.remove(place) }
            } else if let stored = own.base, stored.hasSameValue(slot, .reference, as: base) {
                state.pending.nullified.insert(field)
            }
        }
        own.row = state.merger.laid(object.row, columns, over: own.row)
        for slot in columns.slots { own.markChanged(slot) }
        state.editor.forgetVirtualValues(of: own)
    }
}

extension PendingOrder {
    /// Removes the members whose links a child transaction has removed.
    fileprivate mutating func remove(_ members: [Int64]) {
        for member in members {
            order?.current.removeAll(member)
            delta?.remove(member)
        }
    }
}
