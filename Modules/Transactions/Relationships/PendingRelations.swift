import CofferSchema
import CofferStorage

/// Compares the pending relationships of a transaction at two moments, to find the changed relationships.
///
/// Relationships may change for objects that do not change themselves.
struct PendingRelations {
    /// The target of a reference of one object.
    private struct End: Equatable {
        /// The inverse relationship.
        let relationship: Int
        let owner: ObjectID
        let place: Int64?
    }

    /// The references of one object.
    private struct Ends {
        let saved: [End]
        let current: [End]
    }

    private let layout: ModelLayout
    /// The references of the objects whose references differ from the saved ones.
    private var ends: [ObjectID: Ends] = [:]
    private var addedLinks: Set<PendingChanges.Link> = []
    private var removedLinks: Set<PendingChanges.Link> = []
    private var orders: [PendingChanges.Side: PendingOrder] = [:]

    /// Creates the relationships of a transaction without pending changes.
    init(_ layout: ModelLayout) { self.layout = layout }

    /// Creates the pending relationships of a transaction at this moment.
    init(_ state: ContextState) {
        layout = state.layout
        let pending = state.pending
        for object in pending.inserted { add(object, nil, state) }
        for object in pending.updated { add(object, object.base ?? object.row, state) }
        for object in pending.deleted { add(object, object.base ?? object.row, state) }
        addedLinks = pending.addedLinks
        removedLinks = pending.removedLinks
        for order in state.deltas.pendingOrders where !order.owner.isDeleted { orders[order.side] = order }
    }

    private mutating func add(_ object: CoreStoreObject, _ base: Row?, _ state: ContextState) {
        guard let store = state.identities.store(of: object), !layout.entities[object.row.entity].references.isEmpty
        else {
            return
        }
        let saved = base.map { ends(of: $0, store) } ?? []
        let current = object.isDeleted ? [] : ends(of: object.row, store)
        if saved != current { ends[object.id] = Ends(saved: saved, current: current) }
    }

    private func ends(of row: Row, _ store: OpenStore) -> [End] {
        layout.entities[row.entity].references.compactMap { reference in
            guard let key = row.integerIfAny(reference.slot) else { return nil }
            let owner = store.id(key, of: layout.relationships[reference.inverse].owner)
            return End(
                relationship: reference.inverse, owner: owner,
                place: reference.positionSlot.flatMap(row.integerIfAny))
        }
    }

    /// Whether a pending reference of an object makes it a member of a relationship of another object.
    func relates(_ id: ObjectID, to owner: ObjectID, _ relationship: Int) -> Bool {
        ends[id]?.current.contains { $0.owner == owner && $0.relationship == relationship } ?? false
    }

    /// Returns the relationships whose members or order differ from an earlier moment, by object.
    ///
    /// - Parameter isSaved: whether changes that are no longer pending were saved in the meantime, and not undone.
    func changes(since earlier: PendingRelations, isSaved: Bool = false) -> [ObjectID: Set<Int>] {
        var changes: [ObjectID: Set<Int>] = [:]
        func note(_ old: [End], _ new: [End]) {
            for end in old where !new.contains(end) { changes[end.owner, default: []].insert(end.relationship) }
            for end in new where !old.contains(end) { changes[end.owner, default: []].insert(end.relationship) }
        }
        func note(_ old: Set<PendingChanges.Link>, _ new: Set<PendingChanges.Link>) {
            for link in isSaved ? new.subtracting(old) : new.symmetricDifference(old) {
                let table = layout.linkTables[link.table]
                changes[link.first, default: []].insert(table.first)
                changes[link.second, default: []].insert(table.second)
            }
        }
        func note(_ side: PendingChanges.Side, _ old: PendingOrder?, _ new: PendingOrder?) {
            let saved = new?.saved ?? old?.saved
            guard let before = old.map({ $0.members(on: saved) }) ?? saved,
                let after = new.map({ $0.members(on: saved) }) ?? old?.saved, before != after
            else { return }
            changes[side.owner, default: []].insert(side.relationship)
        }
        for (id, new) in ends { note(earlier.ends[id]?.current ?? new.saved, new.current) }
        note(earlier.addedLinks, addedLinks)
        note(earlier.removedLinks, removedLinks)
        for (side, new) in orders { note(side, earlier.orders[side], new) }
        guard !isSaved else { return changes }
        for (id, old) in earlier.ends where ends[id] == nil { note(old.current, old.saved) }
        for (side, old) in earlier.orders where orders[side] == nil { note(side, old, nil) }
        return changes
    }
}

extension PendingOrder {
    /// The order of all members, if it is known.
    private var known: PendingChanges.Order? { order ?? delta?.order }

    /// The stored members, if they are known.
    fileprivate var saved: [Int64]? { known?.base }

    /// Returns the members; nil if the saved members are not known.
    fileprivate func members(on saved: [Int64]?) -> [Int64]? {
        if let known { return known.current.keys }
        guard let saved, let delta else { return nil }
        let added = Set(delta.added.keys)
        return saved.filter { !delta.removed.contains($0) && !added.contains($0) } + delta.added.keys
    }
}
