import CofferSchema
import CofferStorage

/// The effects of delete rules on stored objects. An effect is valid only while the store relates the object to the deleted
/// one.
extension ObjectGraph {
    /// Whether objects of a store were deleted, or given other partners, whose related rows another stack or process may
    /// have changed since.
    func mustCheckRules(in store: OpenStore) -> Bool {
        if pending.changesPartners { return true }
        guard !pending.deleted.isEmpty else { return false }
        let entities = Set(pending.deleted.lazy.filter { self.store(of: $0) === store }.map(\.row.entity))
        return entities.contains { entity in
            layout.entities[entity].relationships.contains { index in
                if layout.relationships[index].deleteRule != .nullify { return true }
                guard case .reference = layout.relationships[layout.relationships[index].inverse].storage else {
                    return false
                }
                return true
            }
        }
    }

    /// Runs a closure that sets a reference to nil because of a change of its target, and records the reference.
    func nullifying(_ slot: Int, of member: CoreStoreObject, _ body: () -> Void) {
        let former = member.row.isNull(slot) ? nil : member.row.integer(slot)
        body()
        guard let former, member.row.isNull(slot), let base = member.base, !base.isNull(slot),
            base.integer(slot) == former
        else { return }
        pending.nullified.insert(.init(owner: member.id, slot: slot))
    }

    /// Records the objects that a cascade deletes.
    ///
    /// Objects that only this transaction relates to the owner are left out.
    func noteCascade(_ relationship: RelationshipLayout, of owner: CoreStoreObject, to members: [CoreStoreObject]) {
        guard !owner.state.contains(.isInserted) else { return }
        for member in members where isStored(relationship, of: owner, member) {
            pending.cascades[member.id] = .init(relationship: relationship.index, owner: owner.id)
        }
    }

    /// Whether a member references its owner.
    ///
    /// The row of the member may be newer than the list of members.
    func references(_ member: CoreStoreObject, _ owner: CoreStoreObject, _ relationship: RelationshipLayout) -> Bool {
        guard case .reference(let slot, _) = layout.relationships[relationship.inverse].storage else { return true }
        return !member.row.isNull(slot) && member.row.integer(slot) == owner.id.key
    }

    /// Removes the cascade records of objects that the program has deleted itself.
    func forgetCascades(of ids: some Sequence<ObjectID>) {
        guard !pending.cascades.isEmpty else { return }
        for id in ids { pending.cascades[id] = nil }
    }

    /// Whether the store relates two objects, as far as the rows read and the pending links show.
    func isStored(_ relationship: RelationshipLayout, of owner: CoreStoreObject, _ member: CoreStoreObject) -> Bool {
        guard !member.state.contains(.isInserted) else { return false }
        func references(_ row: Row, _ slot: Int, _ key: Int64) -> Bool { !row.isNull(slot) && row.integer(slot) == key }
        switch (relationship.storage, layout.relationships[relationship.inverse].storage) {
        case (_, .reference(let slot, _)): return references(member.base ?? member.row, slot, owner.id.key)
        case (.reference(let slot, _), _): return references(owner.base ?? owner.row, slot, member.id.key)
        case (.links(let table, let isFirst), _):
            return !pending.addedLinks.contains(pendingLink(table, owner.id, member.id, isFirst))
        default: return false
        }
    }

    /// Throws `conflict` if a cascade would delete an object that others have removed from the relationship.
    func checkCascades(_ store: OpenStore) throws(StorageError) {
        let stale = try staleCascades(pending.cascades, store, "save")
        guard let (id, cascade) = stale.first else { return }
        reportedCascades.formUnion(stale.map(\.id))
        var error = conflict(id, cascade)
        error.store = store.storage.storeDescription
        throw error
    }

    /// The error of a commit that would delete an object by a cascade although others have removed it from the relationship.
    func conflict(_ id: ObjectID, _ cascade: PendingChanges.Cascade) -> StorageError {
        let name = layout.relationships[cascade.relationship].name
        return StorageError(
            .conflict,
            "\(id) was deleted by a cascade from \(cascade.owner) through '\(name)', but another transaction has removed it "
                + "from '\(name)'. Perform the transaction again. To delete it anyway, call 'refreshAndMergeAllObjects()' on an "
                + "unsafe transaction and commit again.",
            operation: "save")
    }

    /// Keeps the deletions of objects that others have moved, if a commit has reported that.
    ///
    /// The program has refreshed since, so they are intended.
    func confirmCascades(_ store: OpenStore) throws(StorageError) {
        var cascades = pending.cascades
        for moment in (undo?.past ?? []) + (undo?.future ?? []) {
            cascades.merge(moment.pending.cascades) { known, _ in known }
        }
        let reported = reportedCascades
        cascades = cascades.filter { reported.contains($0.key) }
        for (id, cascade) in try staleCascades(cascades, store, "refresh") {
            reportedCascades.remove(id)
            undo?.forgetCascade(of: id)
            guard pending.cascades.removeValue(forKey: id) != nil else { continue }
            let name = layout.relationships[cascade.relationship].name
            Diagnostics.log(
                .warning,
                "\(id) stays deleted: a cascade from \(cascade.owner) deleted it here, and another transaction has removed it "
                    + "from '\(name)'.")
        }
    }

    /// The cascades whose objects the store no longer relates to their owners.
    private func staleCascades(
        _ cascades: [ObjectID: PendingChanges.Cascade], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [(id: ObjectID, cascade: PendingChanges.Cascade)] {
        let cascades = cascades.filter { store.keySpaces.contains($0.key.storage) }
        guard !cascades.isEmpty else { return [] }
        var stale: [(id: ObjectID, cascade: PendingChanges.Cascade)] = []
        for (index, members) in Dictionary(grouping: cascades, by: \.value.relationship).sorted(by: { $0.key < $1.key })
        {
            let owners = Set(members.map(\.value.owner.key)).sorted()
            let related = try storedKeys(layout.relationships[index], of: owners, store, operation)
            stale += members.filter { related[$0.value.owner.key]?.contains($0.key.key) != true }
                .map { (id: $0.key, cascade: $0.value) }
        }
        guard !stale.isEmpty else { return [] }
        // An object that others have deleted too is no conflict.
        let gone = try missing(Set(stale.map(\.id)), store)
        return stale.filter { !gone.contains($0.id) }.sorted { $0.id.key < $1.id.key }
    }

    /// The keys of the objects that the store relates to some others, by the keys of these.
    private func storedKeys(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [Int64: Set<Int64>] {
        var keys: [Int64: Set<Int64>] = [:]
        if case .reference(let slot, _) = relationship.storage {
            let inverse = layout.relationships[relationship.inverse]
            guard inverse.isToMany else {
                // What counts is the partner's own reference.
                for (owner, rows) in try storedMembers(relationship, of: owners, store) {
                    keys[owner] = Set(rows.map(\.key))
                }
                return keys
            }
            let root = layout.entities[relationship.owner].root
            let rows = try read(store, operation) { reader throws(StorageError) in
                try reader.rows(root: root, keys: owners)
            }
            for row in rows where !row.isNull(slot) { keys[row.key] = [row.integer(slot)] }
            return keys
        }
        let related = try read(store, operation) { reader throws(StorageError) in
            try reader.members(relationship.index, of: owners)
        }
        for related in related { keys[related.owner] = Set(related.members.map(\.key)) }
        return keys
    }
}
