import CofferSchema
import CofferStorage

/// Carries out undo, redo, rollback and the restoration after a failed commit, by creating and restoring savepoints.
///
/// A refresh applies the savepoints of the undo history to the rows that were read again.
struct Savepoints {
    let state: ContextState

    /// Records the changes since the last group as one group, which one undo reverts.
    func recordUndoGroup() {
        guard let undo = state.undo, undo.hasUnrecordedChanges else { return }
        undo.hasUnrecordedChanges = false
        undo.record(moment())
    }

    /// Undoes the last group of changes.
    func undoGroup() {
        guard let undo = state.undo else { return }
        recordUndoGroup()
        guard let undone = undo.goBack() else { return }
        restore(undo.present)
        // A failure in the undone group does not affect the remaining changes.
        if undone.failure != nil { state.failures.first = undo.present?.failure }
    }

    /// Redoes the last undone group of changes.
    func redoGroup() {
        guard let undo = state.undo, !undo.hasUnrecordedChanges, let next = undo.goForward() else { return }
        restore(next)
        state.failures.first = state.failures.first ?? next.failure
    }

    /// Discards all changes since the last commit.
    func rollback() {
        state.undo?.forget()
        restore(nil)
        state.failures.first = nil
    }

    /// Returns a savepoint of all pending changes.
    func moment() -> Savepoint {
        let objects = state.pending.inserted + state.pending.updated + state.pending.deleted
        let entries = objects.map { object in
            // The savepoint keeps the row, so the next write makes a copy.
            object.state.remove(.isWritable)
            return Savepoint.Entry(
                object: object, row: object.row, base: object.base, changed: object.changed, state: object.state,
                virtualValues: object.attachment?.virtualValues,
                assignedVirtualFields: object.attachment?.assignedVirtualFields ?? []
            )
        }
        return Savepoint(
            pending: state.pending, entries: entries, orders: state.deltas.pendingOrders, failure: state.failures.first,
            hasUnrecordedChanges: state.undo?.hasUnrecordedChanges ?? false)
    }

    /// Restores the pending changes of a savepoint, and discards all others.
    func restore(_ moment: Savepoint?) {
        state.noteStaleChildren()
        state.pendingIndex = PendingIndex()
        for object in state.pending.inserted {
            object.state.insert(.isDeleted)
            object.state.remove(.isWritable)
            state.identities.remove(object.id)
        }
        for object in state.pending.updated { if let base = object.base { object.forgetChanges(restoring: base) } }
        for object in state.pending.deleted {
            object.state.remove(.isDeleted)
            if let base = object.base { object.forgetChanges(restoring: base) }
        }
        state.pending = PendingChanges()
        guard let moment else { return state.deltas.forgetRelatedKeys() }
        state.pending = moment.pending
        for entry in moment.entries {
            let object = entry.object
            object.row = entry.row
            object.base = entry.base
            object.changed = entry.changed
            state.editor.forgetVirtualValues(of: object)
            object.state = entry.state.union(object.state.intersection([.isObserved, .hasForwarders]))
            if let table = state.identities.table(object.id.storage), table.object(object.id.key) == nil {
                table.insert(object, object.id.key)
            }
        }
        state.deltas.forgetRelatedKeys(except: moment.orders)
    }

    /// Restores the pending changes after a failed commit.
    ///
    /// - Parameter stores: the stores that saved their parts, so that their changes are no longer pending.
    func goBack(to moment: Savepoint?, without stores: [OpenStore] = []) {
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
        state.failures.first = moment.failure
        if stores.isEmpty { state.undo?.hasUnrecordedChanges = moment.hasUnrecordedChanges }
    }

    // MARK: Rows that were read again

    /// Applies the savepoints of the undo history to rows that were read again.
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
                .warning, "\(id) was deleted by another transaction. Undo and redo leave out its changes.")
        }
    }
}

extension ContextState {
    var savepoints: Savepoints { Savepoints(state: self) }
}
