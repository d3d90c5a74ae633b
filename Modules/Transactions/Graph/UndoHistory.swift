import CofferSchema
import CofferStorage

/// The states an unsafe transaction can go back to.
final class UndoHistory {
    /// Everything pending at one moment.
    struct Moment {
        /// One object with changes.
        struct Entry {
            let object: CoreStoreObject
            let row: Row
            let base: Row?
            let changed: ColumnSet
            let state: ObjectState
        }

        var pending: PendingChanges
        var entries: [Entry]
        var orders: [ObjectGraph.PendingOrder]
        var failure: KeptFailure?
    }

    /// States to go back to, oldest first.
    ///
    /// The last one is the present as of the last flush.
    var past: [Moment] = []
    /// States that were undone, the next one to redo last.
    var future: [Moment] = []
    /// Whether something changed since the last flush.
    var hasUnrecordedChanges = false

    /// After a save there is nothing to undo.
    func forget() {
        past = []
        future = []
        hasUnrecordedChanges = false
    }

    /// Forgets in all states the links of a side that others have added or removed too.
    ///
    /// Else going back would add again what others have removed since.
    func forgetMade(
        _ side: PendingChanges.Side, _ added: [(link: PendingChanges.Link, member: Int64)],
        _ removed: [(link: PendingChanges.Link, member: Int64)]
    ) {
        guard !added.isEmpty || !removed.isEmpty else { return }
        for index in past.indices { past[index].forgetMade(side, added, removed) }
        for index in future.indices { future[index].forgetMade(side, added, removed) }
    }

    /// Takes over in all states what a relationship must still lead to.
    func renewExpected(_ side: PendingChanges.Side, _ keys: [Int64]) {
        for index in past.indices where past[index].pending.expected[side] != nil {
            past[index].pending.expected[side] = keys
        }
        for index in future.indices where future[index].pending.expected[side] != nil {
            future[index].pending.expected[side] = keys
        }
    }
}

extension UndoHistory.Moment {
    fileprivate mutating func forgetMade(
        _ side: PendingChanges.Side, _ added: [(link: PendingChanges.Link, member: Int64)],
        _ removed: [(link: PendingChanges.Link, member: Int64)]
    ) {
        for (link, _) in added { pending.addedLinks.remove(link) }
        for (link, _) in removed { pending.removedLinks.remove(link) }
        for index in orders.indices where orders[index].side == side {
            for (_, member) in added {
                orders[index].order?.noteStored(member)
                orders[index].delta?.order?.noteStored(member)
                orders[index].delta?.added.removeAll { $0 == member }
            }
            for (_, member) in removed {
                orders[index].order?.base.removeAll { $0 == member }
                orders[index].delta?.order?.base.removeAll { $0 == member }
                orders[index].delta?.removed.remove(member)
            }
        }
    }
}

extension ObjectGraph {
    /// Closes a group of changes that one undo takes back.
    func recordUndoGroup() {
        guard let undo, undo.hasUnrecordedChanges else { return }
        undo.hasUnrecordedChanges = false
        undo.future = []
        undo.past.append(moment())
    }

    /// Takes back the last group of changes.
    func undoGroup() {
        guard let undo else { return }
        recordUndoGroup()
        guard let present = undo.past.popLast() else { return }
        undo.future.append(present)
        restore(undo.past.last)
        // What failed in the group that is taken back matters to nothing that is left.
        if present.failure != nil { kept = undo.past.last?.failure }
    }

    /// Makes the last group that was taken back again.
    func redoGroup() {
        guard let undo, !undo.hasUnrecordedChanges, let next = undo.future.popLast() else { return }
        undo.past.append(next)
        restore(next)
        kept = kept ?? next.failure
    }

    /// Takes back everything since the last save.
    func rollback() {
        undo?.forget()
        restore(nil)
        kept = nil
    }

    /// All that is pending now.
    func moment() -> UndoHistory.Moment {
        let objects = pending.inserted + pending.updated + pending.deleted
        let entries = objects.map { object in
            // The row is kept: the next write makes a copy.
            object.state.remove(.isWritable)
            return UndoHistory.Moment.Entry(
                object: object, row: object.row, base: object.base, changed: object.changed, state: object.state
            )
        }
        return UndoHistory.Moment(pending: pending, entries: entries, orders: pendingOrders, failure: kept)
    }

    /// Makes what was pending at another moment pending again, and nothing else.
    func restore(_ moment: UndoHistory.Moment?) {
        pendingIndex = PendingIndex()
        for object in pending.inserted {
            object.state.insert(.isDeleted)
            object.state.remove(.isWritable)
            table(object.id.storage)?.remove(object.id.key)
        }
        for object in pending.updated { if let base = object.base { object.forgetChanges(restoring: base) } }
        for object in pending.deleted {
            object.state.remove(.isDeleted)
            if let base = object.base { object.forgetChanges(restoring: base) }
        }
        pending = PendingChanges()
        guard let moment else { return forgetRelatedKeys() }
        pending = moment.pending
        for entry in moment.entries {
            let object = entry.object
            object.row = entry.row
            object.base = entry.base
            object.changed = entry.changed
            object.state = entry.state.union(object.state.intersection([.isObserved, .hasForwarders]))
            if let table = table(object.id.storage), table.object(object.id.key) == nil {
                table.insert(object, object.id.key)
            }
        }
        forgetRelatedKeys(except: moment.orders)
    }
}
