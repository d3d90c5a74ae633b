import CofferSchema
import CofferStorage

/// Applies the savepoints of an undo history to rows that were read again, and logs objects that were deleted.
struct HistoryRebase {
    let state: ContextState

    /// Puts the states that the transaction can go back to on rows that were read again.
    func rebaseHistory(on refreshed: [(object: CoreStoreObject, row: Row?)]) {
        guard !refreshed.isEmpty, let undo = state.undo, !undo.isEmpty else { return }
        let rows = Dictionary(
            refreshed.map { (ObjectIdentifier($0.object), $0.row) }, uniquingKeysWith: { first, _ in first })
        var dropped: Set<ObjectID> = []
        func rebase(_ entry: inout Savepoint.Entry, _ nullified: Set<PendingChanges.Field>) {
            guard !entry.state.contains(.isInserted), let row = rows[ObjectIdentifier(entry.object)] else { return }
            guard let row else {
                // A change that is pending now is logged by the refresh.
                let isPending = entry.object.state.contains(.isUpdated)
                if !isPending, entry.state.contains(.isUpdated), !entry.state.contains(.isDeleted) {
                    dropped.insert(entry.object.id)
                }
                entry.state.insert(.isDeleted)
                return
            }
            if let base = entry.base {
                let saved = state.merger.savedColumns(entry.changed, of: entry.row, base)
                entry.changed = state.merger.stillValid(saved, of: entry.object, base, row, nullified)
                entry.base = row
            }
            entry.row = entry.changed.isEmpty ? row : state.merger.laid(entry.row, entry.changed, over: row)
        }
        for index in undo.states.indices {
            let nullified = undo.states[index].pending.nullified
            for place in undo.states[index].entries.indices { rebase(&undo.states[index].entries[place], nullified) }
        }
        for id in dropped.sorted(by: { $0.key < $1.key }) {
            Diagnostics.log(
                .warning, "\(id) was deleted elsewhere. Undoing and redoing leave out what was changed of it here.")
        }
    }
}
