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
            /// Kept for a commit that fails: `undo()` and `redo()` discard these values.
            var virtualValues: [Int: Any]?
            /// The virtual fields among them that the program has set.
            var assignedVirtualFields: Set<Int> = []
        }

        var pending: PendingChanges
        var entries: [Entry]
        var orders: [ObjectGraph.PendingOrder]
        var failure: KeptFailure?
        /// Whether something had changed since the last flush.
        var hasUnrecordedChanges = false
    }

    /// States to go back to, oldest first.
    ///
    /// The last one is the present as of the last flush.
    var past: [Moment] = []
    /// States that were undone, the next one to redo last.
    var future: [Moment] = []
    /// Whether something changed since the last flush.
    var hasUnrecordedChanges = false
    /// The links of the states, once they were looked for.
    private var links: LinkIndex?

    /// After a save there is nothing to undo.
    func forget() {
        past = []
        future = []
        links = nil
        hasUnrecordedChanges = false
    }

    /// Whether there is no state to go back or forward to.
    var isEmpty: Bool { past.isEmpty && future.isEmpty }

    /// The members that states add to or remove from a many-to-many relationship of an object, and perhaps former ones.
    func links(in table: Int, of owner: ObjectID) -> (added: Set<Int64>, removed: Set<Int64>) {
        let known = links ?? LinkIndex(of: past + future)
        links = known
        return known.members[.init(table: table, owner: owner)] ?? ([], [])
    }

    /// Adds a state to go back to.
    func record(_ moment: Moment) {
        future = []
        past.append(moment)
        links?.add(moment.pending)
    }

    /// Forgets in all states the links of a side that other transactions have added or removed too.
    ///
    /// Without this, `undo()` would add a link again that another transaction has removed.
    func forgetMade(
        _ side: PendingChanges.Side, _ added: [(link: PendingChanges.Link, member: Int64)],
        _ removed: [(link: PendingChanges.Link, member: Int64)]
    ) {
        guard !added.isEmpty || !removed.isEmpty else { return }
        for index in past.indices { past[index].forgetMade(side, added, removed) }
        for index in future.indices { future[index].forgetMade(side, added, removed) }
    }

    /// Removes the cascade record of an object from all states.
    func forgetCascade(of id: ObjectID) {
        for index in past.indices { past[index].pending.cascades[id] = nil }
        for index in future.indices { future[index].pending.cascades[id] = nil }
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

extension UndoHistory {
    /// The links of several states, by the objects at their ends.
    private struct LinkIndex {
        struct Side: Hashable {
            let table: Int
            let owner: ObjectID
        }

        var members: [Side: (added: Set<Int64>, removed: Set<Int64>)] = [:]

        init(of moments: [Moment]) {
            for moment in moments { add(moment.pending) }
        }

        mutating func add(_ pending: PendingChanges) {
            for link in pending.addedLinks {
                members[.init(table: link.table, owner: link.first), default: ([], [])].added.insert(link.second.key)
                members[.init(table: link.table, owner: link.second), default: ([], [])].added.insert(link.first.key)
            }
            for link in pending.removedLinks {
                members[.init(table: link.table, owner: link.first), default: ([], [])].removed.insert(link.second.key)
                members[.init(table: link.table, owner: link.second), default: ([], [])].removed.insert(link.first.key)
            }
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
                orders[index].order?.noteRemoved(member)
                orders[index].delta?.order?.noteRemoved(member)
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
        undo.record(moment())
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
                object: object, row: object.row, base: object.base, changed: object.changed, state: object.state,
                virtualValues: object.attachment?.virtualValues,
                assignedVirtualFields: object.attachment?.assignedVirtualFields ?? []
            )
        }
        return UndoHistory.Moment(
            pending: pending, entries: entries, orders: pendingOrders, failure: kept,
            hasUnrecordedChanges: undo?.hasUnrecordedChanges ?? false)
    }

    /// Restores the pending changes of another moment, and drops all others.
    func restore(_ moment: UndoHistory.Moment?) {
        noteStaleChildren()
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
            forgetVirtualValues(of: object)
            object.state = entry.state.union(object.state.intersection([.isObserved, .hasForwarders]))
            if let table = table(object.id.storage), table.object(object.id.key) == nil {
                table.insert(object, object.id.key)
            }
        }
        forgetRelatedKeys(except: moment.orders)
    }
}
