import CofferSchema
import CofferStorage

/// Updates the live objects with the rows of a commit, in a turn of the view queue, and drops stale relationships.
struct CommitFollower {
    let state: ContextState

    /// Updates the context's objects with the committed values.
    ///
    /// Objects with pending changes keep these changes.
    func merge(_ record: CommitRecord) {
        var stale: Set<Int> = []
        for part in record.stores {
            stale.formUnion(part.relationships)
            if state.layout.hasReferences, state.relations.areLoaded {
                for row in part.inserted { noteReferences(nil, row, &stale) }
            }
            for (old, new) in part.updated {
                noteReferences(old, new, &stale)
                guard let object = state.identities.object(of: new, in: part.store) else { continue }
                state.merger.merge(new, into: object)
            }
            for row in part.deleted { delete(row, in: part.store, &stale) }
        }
        guard !stale.isEmpty else { return }
        state.identities.forEachLoadedOwner { _, attachment in
            for relationship in stale { attachment.relatedKeys[relationship] = nil }
        }
    }

    private func delete(_ row: Row, in store: OpenStore, _ stale: inout Set<Int>) {
        noteReferences(nil, row, &stale)
        let entity = state.layout.entities[row.entity]
        for index in entity.relationships {
            if case .links = state.layout.relationships[index].storage {
                stale.insert(state.layout.relationships[index].inverse)
            }
        }
        guard let table = state.identities.table(store.keySpaces[row.entity]), let object = table.object(row.key) else {
            return
        }
        object.state.insert(.isDeleted)
        if object.state.isDisjoint(with: [.isUpdated, .isInserted]) { table.remove(row.key) }
    }

    /// Adds the inverse relationships of a row's changed references to the stale relationships.
    private func noteReferences(_ old: Row?, _ new: Row, _ stale: inout Set<Int>) {
        for reference in state.layout.entities[new.entity].references {
            if let old, old.hasSame(reference, as: new) { continue }
            if old == nil, new.isNull(reference.slot), reference.positionSlot == nil { continue }
            stale.insert(reference.inverse)
        }
    }

    /// Updates the live objects with the changes of a commit.
    func takeOver(_ record: CommitRecord) {
        guard record.isUnknown else { return merge(record) }
        state.identities.sweep()
        let objects = state.identities.allObjects
        _ = state.failures.loggingErrors("refresh") { () throws(StorageError) in
            try state.refresher.reload(objects, mergingChanges: true)
        }
    }
}
