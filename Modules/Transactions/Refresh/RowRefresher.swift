import CofferSchema
import CofferStorage

/// Refreshes known objects without pending changes, with rows that an observed list or object has read.
struct RowRefresher {
    let state: ContextState

    /// Updates known objects without pending changes to rows that were just read, here and in parent transactions.
    ///
    /// Relationships that may differ are read again, as after any fetch.
    func refresh(with rows: [Row], _ store: OpenStore) throws(StorageError) {
        guard let first = rows.first, let table = state.identities.table(store.keySpaces[first.entity]) else { return }
        if let parent = state.parent {
            // The rows of changed objects are this transaction's own.
            let stored = rows.filter { row in table.object(row.key).map { !state.merger.isPending($0) } ?? true }
            try parent.rowRefresher.refresh(with: stored, store)
        }
        var refreshed: [(object: CoreStoreObject, row: Row?)] = []
        for row in rows {
            guard let object = table.object(row.key), !state.merger.isPending(object),
                mayReplace(object.held.version, row.version)
            else { continue }
            state.merger.refresh(object, row)
            refreshed.append((object, row))
        }
        state.savepoints.rebaseHistory(on: refreshed)
        state.staleRelations.noteUnknownMembers(rows, store)
        try state.staleRelations.forgetStaleRelations(in: [store])
    }

    /// Whether a row that was just read replaces the known row.
    ///
    /// A replica may have older rows than the view of a stack shows.
    private func mayReplace(_ known: Int64, _ read: Int64) -> Bool {
        state.isEditable ? known != read || state.readsPendingRows : known < read
    }

    /// Reads known objects without pending changes again, here and in parent transactions.
    ///
    /// Objects that the store no longer contains become deleted.
    func refreshUnchanged(_ ids: [ObjectID]) throws(StorageError) {
        if let parent = state.parent { try parent.rowRefresher.refreshUnchanged(ids) }
        for (number, members) in Dictionary(grouping: ids, by: \.storage) {
            guard let space = state.identities.space(number) else { continue }
            let table = space.table
            let known = members.compactMap { table.object($0.key) }
            let keys = known.filter { !state.merger.isPending($0) }.map(\.id.key).sorted()
            if !keys.isEmpty {
                let rows = try state.readers.rows(keys, root: space.root, space.store, "fetch")
                try refresh(with: rows, space.store)
                removeDeleted(Set(keys).subtracting(rows.map(\.key)).compactMap(table.object), table)
            }
            // Relationships of objects with pending changes can differ too.
            try state.staleRelations.forgetStaleRelations(in: [space.store])
        }
    }

    /// Marks objects as deleted that their store no longer contains.
    private func removeDeleted(_ objects: [CoreStoreObject], _ table: IdentityTable) {
        guard !objects.isEmpty else { return }
        for object in objects {
            object.state.insert(.isDeleted)
            // A parent transaction may restore the object.
            if !state.readsPendingRows { table.remove(object.id.key) }
        }
        state.savepoints.rebaseHistory(on: objects.map { ($0, nil) })
        // The view of a stack removes these members when it does not find them.
        if state.isEditable { state.relations.areStale = true }
    }
}
