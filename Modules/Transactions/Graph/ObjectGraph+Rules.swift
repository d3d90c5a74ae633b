import CofferSchema
import CofferStorage

/// What delete rules have done to stored objects, which holds only while the store still relates those to the deleted ones.
extension ObjectGraph {
    /// Whether a transaction with one snapshot has deleted objects whose rules concern rows that other stacks and processes
    /// may have changed since.
    var followsRules: Bool {
        guard keepsReaders, !pending.deleted.isEmpty else { return false }
        return Set(pending.deleted.lazy.map(\.row.entity)).contains { entity in
            layout.entities[entity].relationships.contains { index in
                if layout.relationships[index].deleteRule != .nullify { return true }
                guard case .reference = layout.relationships[layout.relationships[index].inverse].storage else {
                    return false
                }
                return true
            }
        }
    }

    /// Runs a closure that sets a reference to nil because its target is deleted, and remembers that.
    func nullifying(_ slot: Int, of member: CoreStoreObject, _ body: () -> Void) {
        let former = member.row.isNull(slot) ? nil : member.row.integer(slot)
        body()
        guard let former, member.row.isNull(slot), let base = member.base, !base.isNull(slot),
            base.integer(slot) == former
        else { return }
        pending.nullified.insert(.init(owner: member.id, slot: slot))
    }

    /// Remembers which objects a cascade deletes because the store relates them to its owner.
    func noteCascade(_ relationship: RelationshipLayout, of owner: CoreStoreObject, to members: [CoreStoreObject]) {
        guard !owner.state.contains(.isInserted) else { return }
        for member in members where isStored(relationship, of: owner, member) {
            pending.cascades[member.id] = .init(relationship: relationship.index, owner: owner.id)
        }
    }

    /// Whether an object references the owner that it was found by: its row may be newer than the list of members.
    func references(_ member: CoreStoreObject, _ owner: CoreStoreObject, _ relationship: RelationshipLayout) -> Bool {
        guard case .reference(let slot, _) = layout.relationships[relationship.inverse].storage else { return true }
        return !member.row.isNull(slot) && member.row.integer(slot) == owner.id.key
    }

    /// Takes the deletion of some objects for the program's own wish, whatever delete rules say.
    func forgetCascades(of ids: some Sequence<ObjectID>) {
        guard !pending.cascades.isEmpty else { return }
        for id in ids { pending.cascades[id] = nil }
    }

    /// Whether the store relates two objects, going by the rows that were read and by the pending links.
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

    /// Refuses to delete by a cascade what others have related to another object meanwhile.
    func checkCascades(_ store: OpenStore) throws(StorageError) {
        guard let (id, cascade) = try overtaken(pending.cascades, store).first else { return }
        throw cascadeConflict(id, cascade, "meanwhile", store)
    }

    func cascadeConflict(
        _ id: ObjectID, _ cascade: PendingChanges.Cascade, _ when: String, _ store: OpenStore?
    ) -> StorageError {
        StorageError(
            .conflict,
            "\(id) was deleted with \(cascade.owner), by the delete rule of "
                + "'\(layout.relationships[cascade.relationship].name)', but was taken out of that relationship \(when). "
                + "Repeat the transaction. An unsafe transaction that is refreshed and committed again deletes it.",
            operation: "save", store: store?.storage.storeDescription)
    }

    /// Takes the deletions of objects that others have related to other objects for wanted: the program has looked again.
    func confirmCascades(_ store: OpenStore) throws(StorageError) {
        var cascades = pending.cascades
        for moment in (undo?.past ?? []) + (undo?.future ?? []) {
            cascades.merge(moment.pending.cascades) { known, _ in known }
        }
        for (id, cascade) in try overtaken(cascades, store) {
            undo?.forgetCascade(of: id)
            guard pending.cascades.removeValue(forKey: id) != nil else { continue }
            Diagnostics.log(
                .warning,
                "\(id) was deleted here with \(cascade.owner), and taken out of "
                    + "'\(layout.relationships[cascade.relationship].name)' elsewhere. It stays deleted.")
        }
    }

    /// Those of some objects deleted by cascades that the store no longer relates to the owners.
    private func overtaken(
        _ cascades: [ObjectID: PendingChanges.Cascade], _ store: OpenStore
    ) throws(StorageError) -> [(id: ObjectID, cascade: PendingChanges.Cascade)] {
        let cascades = cascades.filter { store.keySpaces.contains($0.key.storage) }
        guard !cascades.isEmpty else { return [] }
        var overtaken: [(id: ObjectID, cascade: PendingChanges.Cascade)] = []
        for (index, members) in Dictionary(grouping: cascades, by: \.value.relationship).sorted(by: { $0.key < $1.key }) {
            let owners = Set(members.map(\.value.owner.key)).sorted()
            let related = try storedKeys(layout.relationships[index], of: owners, store)
            overtaken += members.filter { related[$0.value.owner.key]?.contains($0.key.key) != true }
                .map { (id: $0.key, cascade: $0.value) }
        }
        guard !overtaken.isEmpty else { return [] }
        // One that others have deleted is deleted as it was to be.
        let gone = try missing(Set(overtaken.map(\.id)), store)
        return overtaken.filter { !gone.contains($0.id) }.sorted { $0.id.key < $1.id.key }
    }

    /// The keys of what the store relates some objects to.
    private func storedKeys(
        _ relationship: RelationshipLayout, of owners: [Int64], _ store: OpenStore
    ) throws(StorageError) -> [Int64: Set<Int64>] {
        var keys: [Int64: Set<Int64>] = [:]
        if case .reference(let slot, _) = relationship.storage, layout.relationships[relationship.inverse].isToMany {
            let root = layout.entities[relationship.owner].root
            let rows = try read(store, "save") { reader throws(StorageError) in try reader.rows(root: root, keys: owners) }
            for row in rows where !row.isNull(slot) { keys[row.key] = [row.integer(slot)] }
        } else {
            for (owner, rows) in try storedMembers(relationship, of: owners, store) {
                keys[owner] = Set(rows.map(\.key))
            }
        }
        return keys
    }
}

extension UndoHistory {
    /// Takes the deletion of an object for wanted in all states.
    fileprivate func forgetCascade(of id: ObjectID) {
        for index in past.indices { past[index].pending.cascades[id] = nil }
        for index in future.indices { future[index].pending.cascades[id] = nil }
    }
}
