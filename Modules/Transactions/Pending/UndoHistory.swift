import CofferSchema
import CofferStorage

/// The undo history of an unsafe transaction: the lists of savepoints that undo and redo can restore.
final class UndoHistory {
    /// States to go back to, oldest first.
    ///
    /// The last one is the present as of the last flush.
    var past: [Savepoint] = []
    /// States that were undone, the next one to redo last.
    var future: [Savepoint] = []
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
    func record(_ savepoint: Savepoint) {
        future = []
        past.append(savepoint)
        links?.add(savepoint.pending)
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

    /// Takes over in all states the members that a relationship must still have.
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

        init(of savepoints: [Savepoint]) {
            for savepoint in savepoints { add(savepoint.pending) }
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

extension Savepoint {
    fileprivate mutating func forgetMade(
        _ side: PendingChanges.Side, _ added: [(link: PendingChanges.Link, member: Int64)],
        _ removed: [(link: PendingChanges.Link, member: Int64)]
    ) {
        for (link, _) in added { pending.addedLinks.remove(link) }
        for (link, _) in removed { pending.removedLinks.remove(link) }
        let (stored, gone) = (Set(added.map(\.member)), Set(removed.map(\.member)))
        for index in orders.indices where orders[index].side == side {
            orders[index].order?.noteStored(stored)
            orders[index].delta?.order?.noteStored(stored)
            for (_, member) in added { orders[index].delta?.added.removeAll(member) }
            orders[index].order?.noteRemoved(gone)
            orders[index].delta?.order?.noteRemoved(gone)
            orders[index].delta?.removed.subtract(gone)
        }
    }
}
