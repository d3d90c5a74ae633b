import CofferSchema
import CofferStorage

/// Refreshes objects for `refreshAsFault`, `refreshAndMerge` and `refreshAndMergeAllObjects`: reads their rows again.
struct ObjectRefresher {
    let state: ContextState

    /// Reads the rows of objects again.
    ///
    /// - Parameter mergingChanges: whether pending changes are kept; otherwise they are dropped.
    /// - Parameter isWhole: whether these are all objects of the transaction. If so, references of pending changes to
    ///   deleted objects are dropped.
    func reload(
        _ objects: [CoreStoreObject], mergingChanges: Bool, isWhole: Bool = false
    ) throws(StorageError) {
        try reloadRows(of: objects, mergingChanges: mergingChanges, isWhole)
        if isWhole { for store in state.stores { try state.cascadeCheck.confirmCascades(store) } }
        guard state.throwsOnConflict, mergingChanges else { return }
        // This applies the pending orders to the members that are stored now.
        for (side, owner) in state.pending.reordered where !owner.isDeleted {
            _ = try state.loader.relatedKeys(state.layout.relationships[side.relationship], of: owner)
        }
    }

    private func reload(_ object: CoreStoreObject, from row: Row?, mergingChanges: Bool) {
        guard let row else {
            if object.state.contains(.isUpdated), !object.isDeleted {
                Diagnostics.log(
                    .warning, "\(object.id) was deleted by another transaction. Its pending changes cannot be saved.")
            }
            return object.state.formUnion(.isDeleted)
        }
        if !mergingChanges {
            object.forgetChanges(restoring: row)
            state.pending.updated.removeAll { $0 === object }
            state.pending.failures = state.pending.failures.filter { $0.value.object !== object }
        } else if object.state.contains(.isUpdated) {
            state.merger.putChanges(of: object, on: row)
        } else {
            state.editor.replaceRow(of: object, with: row)
        }
    }

    private func reloadRows(
        of objects: [CoreStoreObject], mergingChanges: Bool, _ isWhole: Bool
    ) throws(StorageError) {
        defer { state.deltas.forgetRelatedKeys() }
        state.pendingIndex = PendingIndex()
        let saved = objects.filter { !$0.state.contains(.isInserted) && !$0.state.contains(.meta) }
        let rows = try state.storedRows(saved.map(\.id), "refresh")
        let refreshed = saved.filter { state.identities.store(of: $0) != nil }
            .map { (object: $0, row: rows[$0.id]) }
        let gone = isWhole ? try state.lostTargets.lostTargets() : []
        if !mergingChanges { state.deltas.forgetLinks(of: Set(saved.map(\.id))) }
        for (object, row) in refreshed { reload(object, from: row, mergingChanges: mergingChanges) }
        state.lostTargets.forgetDeletions(of: refreshed.filter { $0.row == nil }.map(\.object))
        if mergingChanges { state.savepoints.rebaseHistory(on: refreshed) }
        state.lostTargets.dropReferences(to: gone)
        if isWhole { for store in state.stores { try state.deleteRules.unrelatePartners(store) } }
        try renewExpected(of: saved)
    }

    /// Updates the members that relationships of some objects must have at the commit to the stored members.
    func renewExpected(of objects: [CoreStoreObject]) throws(StorageError) {
        guard !state.pending.expected.isEmpty else { return }
        let owners = Set(objects.map(\.id))
        for side in state.pending.expected.keys where owners.contains(side.owner) {
            guard let store = state.identities.store(of: side.owner) else { continue }
            let found = try state.readers.members(side.relationship, of: [side.owner.key], store, "refresh")
            let keys = found.first?.members.map(\.key) ?? []
            state.pending.expected[side] = keys
            state.undo?.renewExpected(side, keys)
        }
    }
}
