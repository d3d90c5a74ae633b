import CofferSchema
import CofferStorage

/// The undo history of an unsafe transaction: the lists of savepoints that undo and redo can restore.
final class UndoHistory {
    /// The states that can be undone, oldest first, followed by the undone states, the next one to redo first.
    var states: [Savepoint] = []
    /// The number of states that can be undone; the last one is the present as of the last flush.
    private var pastCount = 0
    /// Whether something changed since the last flush.
    var hasUnrecordedChanges = false
    /// The links of the states; nil until they are needed.
    private var links: LinkIndex?

    /// Removes all states, because nothing can be undone after a commit.
    func forget() {
        states = []
        pastCount = 0
        links = nil
        hasUnrecordedChanges = false
    }

    /// Whether there is no state to undo or redo.
    var isEmpty: Bool { states.isEmpty }

    /// The present as of the last flush; nil if nothing was flushed.
    var present: Savepoint? { pastCount > 0 ? states[pastCount - 1] : nil }

    /// Goes back by one state.
    ///
    /// - Returns: the state that was the present; nil if there is none.
    func goBack() -> Savepoint? {
        guard let present else { return nil }
        pastCount -= 1
        return present
    }

    /// Goes forward to the next state that was undone; nil if there is none.
    func goForward() -> Savepoint? {
        guard pastCount < states.count else { return nil }
        pastCount += 1
        return present
    }

    /// Returns the members that states add to or remove from a many-to-many relationship of an object.
    ///
    /// The sets may also contain members of former states.
    func links(in table: Int, of owner: ObjectID) -> (added: Set<Int64>, removed: Set<Int64>) {
        let known = links ?? LinkIndex(of: states)
        links = known
        return known.members[.init(table: table, owner: owner)] ?? ([], [])
    }

    /// Adds a state that can be undone.
    func record(_ savepoint: Savepoint) {
        states.removeLast(states.count - pastCount)
        states.append(savepoint)
        pastCount += 1
        links?.add(savepoint.pending)
    }

    /// Removes from all states the links of a side that other transactions have added or removed, too.
    ///
    /// Without this, `undo()` would add a link again that another transaction has removed.
    func forgetMade(
        _ side: PendingChanges.Side, _ added: [(link: PendingChanges.Link, member: Int64)],
        _ removed: [(link: PendingChanges.Link, member: Int64)]
    ) {
        guard !added.isEmpty || !removed.isEmpty else { return }
        for index in states.indices { states[index].forgetMade(side, added, removed) }
    }

    /// Removes the cascade record of an object from all states.
    func forgetCascade(of id: ObjectID) {
        for index in states.indices { states[index].pending.cascades[id] = nil }
    }

    /// Replaces the expected members of a relationship in all states.
    func renewExpected(_ side: PendingChanges.Side, _ keys: [Int64]) {
        for index in states.indices where states[index].pending.expected[side] != nil {
            states[index].pending.expected[side] = keys
        }
    }
}

extension UndoHistory {
    /// The links of several states, by the objects that they relate.
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
