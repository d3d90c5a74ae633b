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

    /// Takes over the changes of a child transaction as pending ones.
    ///
    /// The delete rules are followed again for what the child deleted: this transaction may have related other objects to
    /// it since.
    ///
    /// - Throws: `conflict` when an object that the child changed or references was deleted here; nothing is taken over
    ///   then.
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
        // What reads after the first change, or notes what it reads, can fail and must be taken back.
        let before = deleted.isEmpty && !state.throwsOnConflict ? nil : state.savepoints.moment()
        do throws(StorageError) {
            let orders = try mergedOrders(of: child, among: existing)
            var owners: [ObjectID: CoreStoreObject] = [:]
            // One that the child created is adopted first.
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
            // An object that the child has given another partner leaves the one that it has here.
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

    /// What a child transaction deleted by cascades: what the stores relate to the deleted owners as well.
    ///
    /// - Throws: `conflict` when an object was taken out of the relationship here while the child was open.
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

    /// The objects at the other ends of an object's one-to-one relationships, with the slots at both ends.
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

    /// Gives objects of a child transaction, just committed, the values that its parent shows.
    private func show(_ objects: [CoreStoreObject], of child: ContextState) throws(StorageError) {
        for object in objects {
            guard let own = try state.finder.object(object.id) else { continue }
            child.editor.replaceRow(of: object, with: own.row)
        }
    }

    /// The targets of the references and links that a child transaction adds, if they exist here or are new.
    ///
    /// - Throws: `conflict` when the target of a reference does not exist here any more.
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
            // What the child took out and put back is new to a relationship that lost it here.
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

    /// Takes over the values that a child changed.
    ///
    /// A property that it set to its value is no change, as in a commit.
    ///
    /// - Parameter nullified: the references that delete rules set to nil in the child. Where the object was given another
    ///   target here, it keeps that.
    private func copyChanges(
        of object: CoreStoreObject, to own: CoreStoreObject, nullified: Set<PendingChanges.Field>
    ) {
        var columns = object.base.map { state.merger.savedColumns(of: object, $0) } ?? object.changed
        for (slot, place) in state.layout.toOneSlots(of: own.row) where columns.contains(slot) {
            let field = PendingChanges.Field(owner: own.id, slot: slot)
            guard nullified.contains(field), let base = object.base else {
                // The program has set it in the child.
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
    /// Takes out the members whose links a child transaction has removed.
    fileprivate mutating func remove(_ members: [Int64]) {
        for member in members {
            order?.current.removeAll(member)
            delta?.remove(member)
        }
    }
}
