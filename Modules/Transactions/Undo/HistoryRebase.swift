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
        func rebased(
            _ entry: Savepoint.Entry, _ nullified: Set<PendingChanges.Field>
        ) -> Savepoint.Entry {
            guard !entry.state.contains(.isInserted), let row = rows[ObjectIdentifier(entry.object)] else {
                return entry
            }
            guard let row else {
                // A change that is pending now is logged by the refresh.
                let isPending = entry.object.state.contains(.isUpdated)
                if !isPending, entry.state.contains(.isUpdated), !entry.state.contains(.isDeleted) {
                    dropped.insert(entry.object.id)
                }
                return .init(
                    object: entry.object, row: entry.row, base: entry.base, changed: entry.changed,
                    state: entry.state.union(.isDeleted))
            }
            let changed =
                entry.base.map { base in
                    let saved = state.merger.savedColumns(entry.changed, of: entry.row, base)
                    return state.merger.stillValid(saved, of: entry.object, base, row, nullified)
                } ?? entry.changed
            return .init(
                object: entry.object, row: changed.isEmpty ? row : state.merger.laid(entry.row, changed, over: row),
                base: entry.base == nil ? nil : row, changed: changed, state: entry.state)
        }
        func rebase(_ moment: inout Savepoint) {
            let nullified = moment.pending.nullified
            moment.entries = moment.entries.map { rebased($0, nullified) }
        }
        for index in undo.past.indices { rebase(&undo.past[index]) }
        for index in undo.future.indices { rebase(&undo.future[index]) }
        for id in dropped.sorted(by: { $0.key < $1.key }) {
            Diagnostics.log(
                .warning, "\(id) was deleted elsewhere. Undoing and redoing leave out what was changed of it here.")
        }
    }
}
