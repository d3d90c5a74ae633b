import CofferSchema
import CofferStorage

/// Drops pending references and links to objects that other transactions have deleted, and logs each dropped reference.
struct LostTargets {
    let state: ContextState

    /// Whether anything is deleted here, now or in a state that can be undone or redone.
    var mayDelete: Bool { !state.pending.deleted.isEmpty || state.undo?.isEmpty == false }

    /// The deleted objects that pending references and links still refer to, also in states that can be undone.
    func lostTargets() throws(StorageError) -> Set<ObjectID> {
        var targets: Set<ObjectID> = []
        func add(_ object: CoreStoreObject, _ row: Row, _ changed: ColumnSet?) {
            state.deltas.forEachReference(of: object, row, changed) { _, target in targets.insert(target) }
        }
        for object in state.pending.inserted where !object.isDeleted { add(object, object.row, nil) }
        for object in state.pending.updated where !object.isDeleted { add(object, object.row, object.changed) }
        func add(_ links: Set<PendingChanges.Link>) {
            for link in links where state.identities.store(of: link.first) != nil {
                targets.formUnion([link.first, link.second])
            }
        }
        add(state.pending.addedLinks)
        // New objects that were undone are in no store, and redo restores them.
        var new: Set<ObjectID> = []
        for moment in state.undo?.states ?? [] {
            add(moment.pending.addedLinks)
            for entry in moment.entries {
                if entry.state.contains(.isInserted) { new.insert(entry.object.id) }
                add(entry.object, entry.row, entry.state.contains(.isInserted) ? nil : entry.changed)
            }
        }
        return try state.storedRelations.missing(targets.subtracting(new))
    }

    /// Drops pending deletions of objects that other transactions have deleted too; `undo()` cannot restore them.
    func forgetDeletions(of gone: [CoreStoreObject]) {
        guard !gone.isEmpty else { return }
        let ids = Set(gone.map(\.id))
        state.pending.deleted.removeAll { ids.contains($0.id) }
        state.pendingIndex = PendingIndex()
        guard let undo = state.undo else { return }
        for index in undo.states.indices { undo.states[index].pending.deleted.removeAll { ids.contains($0.id) } }
    }

    /// Drops the pending references and links to some objects.
    func dropReferences(to lost: Set<ObjectID>) {
        guard !lost.isEmpty else { return }
        func keeps(_ link: PendingChanges.Link) -> Bool { !lost.contains(link.first) && !lost.contains(link.second) }
        state.pending.addedLinks = state.pending.addedLinks.filter(keeps)
        for object in state.pending.inserted + state.pending.updated where !object.isDeleted {
            let changed = object.state.contains(.isInserted) ? nil : object.changed
            for (relationship, target) in references(of: object, object.row, changed, to: lost) {
                Diagnostics.log(
                    .warning,
                    "\(object.id) was related to \(target), which another transaction has deleted. "
                        + "The reference was dropped.")
                for slot in relationship.referenceSlots { state.editor.write(nil, slot, of: object) }
            }
        }
        guard let undo = state.undo else { return }
        func clear(_ entry: inout Savepoint.Entry) {
            let changed = entry.state.contains(.isInserted) ? nil : entry.changed
            let gone = references(of: entry.object, entry.row, changed, to: lost)
            guard !gone.isEmpty else { return }
            let row = RowBuilder(copying: entry.row)
            for slot in gone.flatMap(\.relationship.referenceSlots) { row.writeNull(slot) }
            entry.row = row.build()
        }
        for index in undo.states.indices {
            for place in undo.states[index].entries.indices { clear(&undo.states[index].entries[place]) }
            undo.states[index].pending.addedLinks = undo.states[index].pending.addedLinks.filter(keeps)
        }
    }

    /// Returns the references to some objects.
    ///
    /// - Parameter changed: the columns to examine; nil for all.
    private func references(
        of object: CoreStoreObject, _ row: Row, _ changed: ColumnSet?, to lost: Set<ObjectID>
    ) -> [(relationship: RelationshipLayout, target: ObjectID)] {
        var references: [(relationship: RelationshipLayout, target: ObjectID)] = []
        state.deltas.forEachReference(of: object, row, changed) { relationship, target in
            if lost.contains(target) { references.append((relationship, target)) }
        }
        return references
    }
}
