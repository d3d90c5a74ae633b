import CofferSchema
import CofferStorage

/// Adapts pending changes to commits that other transactions made since this graph began to read. Those may have deleted
/// rows that pending changes reference, and may have related rows to objects that are deleted here.
extension ObjectGraph {
    /// Whether someone else has saved something in a store since the graph first read from it.
    func isOvertaken(_ store: OpenStore) -> Bool {
        seenCommits[ObjectIdentifier(store)].map { $0 != store.commitCount } ?? false
    }

    /// Counts a commit of the graph's own.
    func noteCommit(_ store: OpenStore) {
        let before = store.noteCommit()
        if relatedCommits[ObjectIdentifier(store)] == before { relatedCommits[ObjectIdentifier(store)] = before + 1 }
        // A graph that has never read knows what it has just saved, and that others may change from now on.
        if seenCommits[ObjectIdentifier(store)] ?? before == before {
            seenCommits[ObjectIdentifier(store)] = before + 1
        }
    }

    /// Applies the delete rules to what the stores hold now.
    ///
    /// Called with the lock of commits held.
    ///
    /// - Returns: the pending changes before the call, for a commit that fails; nil if nothing changed.
    func reconcile() throws(StorageError) -> UndoHistory.Moment? {
        let overtaken = mustReconcile || mayBreakRules ? stores : stores.filter(isOvertaken)
        // Other processes tell a transaction of one snapshot of nothing.
        let unknown =
            keepsReaders
            ? stores.filter { store in !overtaken.contains { $0 === store } && mustCheckRules(in: store) } : []
        guard !(overtaken.isEmpty && unknown.isEmpty) else { return nil }
        // A transaction that ends with its commit goes back to nothing.
        let before = keepsReaders ? nil : moment()
        releaseReaders()
        // Rules are followed for the members that are stored now, and not for those that were looked at before.
        forgetRelatedKeys()
        do throws(StorageError) {
            for store in overtaken + unknown {
                try renewBases(store, nullifiedOnly: unknown.contains { $0 === store })
                try checkCascades(store)
                forgetStoredDenials(store)
                try followRules(store)
                try unlinkDeleted(store)
                try unrelatePartners(store)
            }
        } catch {
            goBack(to: before)
            throw error
        }
        return before
    }

    /// Whether delete rules or counts may have been judged by members that have changed since: a transaction that is kept
    /// for long does not see commits of other stacks and processes.
    private var mayBreakRules: Bool {
        !keepsReaders && (!pending.deleted.isEmpty || !pending.counted.isEmpty || pending.changesPartners)
    }

    /// Whether references of pending changes must be looked up in a store before they are saved.
    func mayHaveLostTargets(_ store: OpenStore) -> Bool {
        isOvertaken(store) || !keepsReaders || throwsOnConflict
    }

    /// Restores the pending changes after a commit that failed.
    ///
    /// - Parameter stores: the stores that saved their parts all the same, whose changes are no longer pending.
    func goBack(to moment: UndoHistory.Moment?, without stores: [OpenStore] = []) {
        guard var moment else { return }
        if !stores.isEmpty {
            let isSaved = { (id: ObjectID) in stores.contains { $0.keySpaces.contains(id.storage) } }
            _ = moment.pending.removing(isSaved)
            moment.entries.removeAll { isSaved($0.object.id) }
            moment.orders.removeAll { isSaved($0.owner.id) }
        }
        restore(moment)
        for entry in moment.entries where entry.virtualValues != nil {
            entry.object.attached.virtualValues = entry.virtualValues
            entry.object.attached.assignedVirtualFields = entry.assignedVirtualFields
        }
        kept = moment.failure
        if stores.isEmpty { undo?.hasUnrecordedChanges = moment.hasUnrecordedChanges }
    }

    /// Removes the links that others have given to objects that are deleted here, so that observers are told of them.
    private func unlinkDeleted(_ store: OpenStore) throws(StorageError) {
        let deleted = pending.deleted.filter { self.store(of: $0) === store }
        for (index, owners) in owners(deleted) {
            let relationship = layout.relationships[index]
            // A link that forbids the deletion stays: the commit is refused for it.
            guard relationship.deleteRule != .deny, case .links(let table, let isFirst) = relationship.storage else {
                continue
            }
            let storage = store.keySpaces[relationship.destination]
            let found = try read(store, "save") { reader throws(StorageError) in
                try reader.members(index, of: owners.keys.sorted())
            }
            for related in found {
                guard let owner = owners[related.owner] else { continue }
                for member in related.members {
                    let link = pendingLink(table, owner.id, ObjectID(storage: storage, key: member.key), isFirst)
                    pending.removedLinks.insert(link)
                }
            }
        }
    }

    /// Ends the one-to-one relationships that other transactions have given to objects whose partner is changed here.
    func unrelatePartners(_ store: OpenStore) throws(StorageError) {
        for relationship in layout.relationships {
            guard case .reference(let slot, _) = relationship.storage,
                case .reference(let inverseSlot, _) = layout.relationships[relationship.inverse].storage
            else { continue }
            let former = formerPartners(relationship, slot, store)
            guard !former.isEmpty else { continue }
            let root = layout.entities[relationship.destination].root
            let rows = try read(store, "save") { reader throws(StorageError) in
                try reader.rows(root: root, keys: former.keys.sorted())
            }
            for row in rows {
                guard let known = table(store.keySpaces[row.entity])?.object(row.key) else { continue }
                mergeUnlessConflict(row, into: known)
            }
            for partner in objects(rows, relationship.destination, store) where !partner.isDeleted {
                guard !partner.row.isNull(inverseSlot),
                    former[partner.id.key]?.contains(partner.row.integer(inverseSlot)) == true
                else { continue }
                write(nil, inverseSlot, of: partner)
            }
        }
    }

    /// The partners of changed objects in the store that are not their partners here, with these objects.
    private func formerPartners(
        _ relationship: RelationshipLayout, _ slot: Int, _ store: OpenStore
    ) -> [Int64: Set<Int64>] {
        var former: [Int64: Set<Int64>] = [:]
        for object in pending.updated where self.store(of: object) === store {
            guard layout.entity(object.row.entity, isKindOf: relationship.owner), !object.isDeleted else { continue }
            let stored = object.base ?? object.row
            guard !stored.isNull(slot) else { continue }
            let key = stored.integer(slot)
            if !object.row.isNull(slot), object.row.integer(slot) == key { continue }
            former[key, default: []].insert(object.id.key)
        }
        return former
    }

    /// Some objects by key, for each of their relationships.
    private func owners(_ objects: [CoreStoreObject]) -> [(key: Int, value: [Int64: CoreStoreObject])] {
        var owners: [Int: [Int64: CoreStoreObject]] = [:]
        for object in objects {
            for index in layout.entities[object.row.entity].relationships {
                owners[index, default: [:]][object.id.key] = object
            }
        }
        return owners.sorted { $0.key < $1.key }
    }

    /// Leaves of the denials what pending changes relate to deleted objects: the stored members are looked for again.
    private func forgetStoredDenials(_ store: OpenStore) {
        for index in pending.denials.indices where self.store(of: pending.denials[index].object) === store {
            let denial = pending.denials[index]
            let relationship = layout.relationships[denial.relationship]
            pending.denials[index].related.removeAll { !isRelatedByChange($0, to: denial.object, relationship) }
        }
        pending.denials.removeAll(where: \.related.isEmpty)
    }

    /// Whether a pending change, rather than the store, relates an object to a deleted one.
    private func isRelatedByChange(
        _ member: CoreStoreObject, to owner: CoreStoreObject, _ relationship: RelationshipLayout
    ) -> Bool {
        if member.state.contains(.isInserted) { return true }
        if case .links(let table, let isFirst) = relationship.storage {
            return pending.addedLinks.contains(pendingLink(table, owner.id, member.id, isFirst))
        }
        if let slot = slots(of: relationship).first { return member.changed.contains(slot) }
        // The deleted object's own reference.
        guard case .reference(let slot, _) = relationship.storage else { return false }
        return !(owner.changed.contains(slot) ? owner.row : owner.base ?? owner.row).isNull(slot)
    }

    /// A rule may delete further objects, whose rules are followed too.
    private func followRules(_ store: OpenStore) throws(StorageError) {
        var done = 0
        while done < pending.deleted.count {
            let deleted = pending.deleted[done...].filter { self.store(of: $0) === store }
            done = pending.deleted.count
            for (index, owners) in owners(deleted) {
                let relationship = layout.relationships[index]
                // Only links are removed, for which their keys are enough.
                if relationship.deleteRule == .nullify, case .links = relationship.storage { continue }
                try followRule(relationship, of: owners, store)
            }
        }
    }

    private func followRule(
        _ relationship: RelationshipLayout, of owners: [Int64: CoreStoreObject], _ store: OpenStore
    ) throws(StorageError) {
        for (key, rows) in try storedMembers(relationship, of: owners.keys.sorted(), store) {
            guard let owner = owners[key] else { continue }
            // One that is also changed here still has the reference it was read with.
            for row in rows {
                guard let known = table(store.keySpaces[row.entity])?.object(row.key) else { continue }
                mergeUnlessConflict(row, into: known)
            }
            try follow(relationship, of: owner, toNew: objects(rows, relationship.destination, store))
        }
    }

    /// The rows that relate themselves to some others in the store, by the keys of these.
    func storedMembers(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore
    ) throws(StorageError) -> [(owner: Int64, rows: [Row])] {
        guard case .reference = relationship.storage else {
            return try read(store, "save") { reader throws(StorageError) in
                try reader.related(relationship.index, of: owners).map { ($0.owner, $0.rows) }
            }
        }
        // A reference of the deleted row goes with it; the partner has one of its own.
        let inverse = layout.relationships[relationship.inverse]
        guard case .reference(let slot, _) = inverse.storage else { return [] }
        let request = RowRequest(
            entity: inverse.owner,
            predicate: .isIn(.column(slot: slot, kind: .reference), owners.map(Value.integer)))
        let rows = try read(store, "save") { reader throws(StorageError) in try reader.rows(request) }
        return Dictionary(grouping: rows) { $0.integer(slot) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    private func follow(
        _ relationship: RelationshipLayout, of owner: CoreStoreObject, toNew members: [CoreStoreObject]
    ) throws(StorageError) {
        let members = members.filter { !$0.isDeleted && isRelated($0, to: owner, relationship) }
        guard !members.isEmpty else { return }
        if relationship.deleteRule == .deny {
            return pending.denials.append(.init(object: owner, relationship: relationship.index, related: members))
        }
        // Read before anything is written: a commit that fails for it can be repeated.
        let related = relationship.deleteRule == .cascade ? try loadForDeleting(members) : []
        for member in members { unrelate(member, from: owner, relationship) }
        if relationship.deleteRule == .cascade { try delete(members) }
        withExtendedLifetime(related) {}
    }

    /// Whether an object that is related to a deleted one in the store is related to it here, too.
    private func isRelated(
        _ member: CoreStoreObject, to owner: CoreStoreObject, _ relationship: RelationshipLayout
    ) -> Bool {
        if case .links(let table, let isFirst) = relationship.storage {
            return !pending.removedLinks.contains(pendingLink(table, owner.id, member.id, isFirst))
        }
        guard let slot = slots(of: relationship).first else { return false }
        return !member.row.isNull(slot) && member.row.integer(slot) == owner.id.key
    }

    private func unrelate(_ member: CoreStoreObject, from owner: CoreStoreObject, _ relationship: RelationshipLayout) {
        if case .links(let table, let isFirst) = relationship.storage {
            pending.removedLinks.insert(pendingLink(table, owner.id, member.id, isFirst))
            return
        }
        for slot in slots(of: relationship) { write(nil, slot, of: member) }
    }

    /// The slots of a member's reference and of its place.
    private func slots(of relationship: RelationshipLayout) -> [Int] {
        switch (relationship.storage, layout.relationships[relationship.inverse].storage) {
        case (.inverse(let slot, let positionSlot), _): [slot] + (positionSlot.map { [$0] } ?? [])
        case (.reference, .reference(let slot, _)): [slot]
        default: []
        }
    }

    /// Checks that what the changes lead to is still there, and leaves out the links for which it is not.
    ///
    /// - Throws: `conflict` when a to-one relationship leads to a row that someone else deleted.
    func checkTargets(of changes: inout StoreChanges) throws(StorageError) {
        let store = changes.store
        let references = newReferences(in: changes)
        var targets = Set(references.map(\.target))
        for link in changes.set.links { targets.formUnion(ends(of: link, store)) }
        guard !targets.isEmpty else { return }
        // A snapshot of the transaction has the rows that others deleted since.
        releaseReaders()
        let missing = try missing(targets, store)
        guard !missing.isEmpty else { return }
        if throwsOnConflict,
            let lost = changes.set.links.lazy.flatMap({ self.ends(of: $0, store) }).first(where: missing.contains)
        {
            throw StorageError(
                .conflict,
                "\(lost), which was related to an object here, was deleted meanwhile. Fetch again and repeat.",
                operation: "save", store: store.storage.storeDescription)
        }
        for link in changes.set.links where onReconcile != nil && !missing.isDisjoint(with: ends(of: link, store)) {
            droppedLinks.add(link, store)
        }
        changes.set.links.removeAll { !missing.isDisjoint(with: ends(of: $0, store)) }
        guard let broken = references.first(where: { missing.contains($0.target) }) else { return }
        throw StorageError(
            .conflict,
            "'\(broken.relationship.name)' of \(broken.object.id) leads to \(broken.target), which was deleted "
                + "meanwhile. Relate it anew and repeat.", operation: "save", store: store.storage.storeDescription
        )
    }

    /// The references that changes add, of new objects and of others.
    func newReferences(
        in changes: StoreChanges
    ) -> [(object: CoreStoreObject, relationship: RelationshipLayout, target: ObjectID)] {
        var references: [(object: CoreStoreObject, relationship: RelationshipLayout, target: ObjectID)] = []
        let inserted = pending.inserted.filter { !$0.isDeleted && store(of: $0) === changes.store }
        for object in inserted + changes.updated {
            for index in layout.entities[object.row.entity].relationships {
                guard case .reference(let slot, _) = layout.relationships[index].storage, !object.row.isNull(slot),
                    object.state.contains(.isInserted) || object.changed.contains(slot)
                else { continue }
                let space = changes.store.keySpaces[layout.relationships[index].destination]
                let target = ObjectID(storage: space, key: object.row.integer(slot))
                references.append((object, layout.relationships[index], target))
            }
        }
        return references
    }

    private func ends(of link: ChangeSet.Link, _ store: OpenStore) -> [ObjectID] {
        let table = layout.linkTables[link.table]
        return [(table.first, link.first), (table.second, link.second)].map { relationship, key in
            ObjectID(storage: store.keySpaces[layout.relationships[relationship].owner], key: key)
        }
    }

    /// The ids without a stored or pending row.
    func missing(_ ids: Set<ObjectID>, _ store: OpenStore) throws(StorageError) -> Set<ObjectID> {
        var missing = ids.filter { id in
            guard let known = table(id.storage)?.object(id.key) else { return true }
            return !known.state.contains(.isInserted) || known.isDeleted
        }
        for (space, members) in Dictionary(grouping: missing, by: \.storage) {
            guard let root = store.root(of: ObjectID(storage: space, key: 0)) else { continue }
            let keys = members.map(\.key).sorted()
            let rows = try read(store, "save") { reader throws(StorageError) in try reader.rows(root: root, keys: keys)
            }
            missing.subtract(rows.map { ObjectID(storage: space, key: $0.key) })
        }
        return missing
    }
}
