import CofferSchema
import CofferStorage

/// What is pending, as seen from the to-many sides that are not loaded.
extension ObjectGraph {
    /// The members of an ordered many-to-many relationship whose order is pending, which nothing else remembers.
    struct PendingOrder {
        let side: PendingChanges.Side
        let owner: CoreStoreObject
        /// All members, when they were loaded.
        var keys: [Int64]?
        /// What comes to the stored members and goes from them, when those were not loaded.
        var delta: PendingChanges.Delta?

        /// Takes a member out.
        mutating func remove(_ member: Int64) {
            keys?.removeAll { $0 == member }
            guard keys == nil else { return }
            delta?.added.removeAll { $0 == member }
            delta?.removed.insert(member)
        }
    }

    /// The orders that are pending now.
    var pendingOrders: [PendingOrder] {
        pending.reordered.map { side, owner in
            let keys = owner.attachment?.relatedKeys[side.relationship]
            return PendingOrder(side: side, owner: owner, keys: keys, delta: pending.deltas[side])
        }
    }

    /// Forgets what every to-many relationship leads to, except where an order is pending.
    ///
    /// What is pending is worked out again from the references of changed objects and from the links, so that the next
    /// look finds it.
    func forgetRelatedKeys(except orders: [PendingOrder]? = nil) {
        let orders = orders ?? pendingOrders
        forEachLoadedOwner { _, attachment in attachment.relatedKeys = [:] }
        pending.deltas = [:]
        for object in pending.inserted where !object.isDeleted { noteReferences(of: object, since: nil) }
        for object in pending.updated where !object.isDeleted { noteReferences(of: object, since: object.base) }
        for link in pending.addedLinks { note(link, isAdded: true) }
        for link in pending.removedLinks { note(link, isAdded: false) }
        for order in orders where order.keys != nil || order.delta != nil {
            pending.deltas[order.side] = order.delta
            if let keys = order.keys { order.owner.attachRelatedKeys(keys, order.side.relationship) }
        }
    }

    /// Drops the pending links of some objects, and the orders that these are in.
    func forgetLinks(of objects: Set<ObjectID>) {
        var touched: Set<PendingChanges.Side> = []
        func keeps(_ link: PendingChanges.Link) -> Bool {
            guard objects.contains(link.first) || objects.contains(link.second) else { return true }
            let table = layout.linkTables[link.table]
            touched.insert(.init(relationship: table.first, owner: link.first))
            touched.insert(.init(relationship: table.second, owner: link.second))
            return false
        }
        pending.addedLinks = pending.addedLinks.filter(keeps)
        pending.removedLinks = pending.removedLinks.filter(keeps)
        pending.reordered = pending.reordered.filter { side, _ in
            !touched.contains(side) && !objects.contains(side.owner)
        }
    }

    private func noteReferences(of object: CoreStoreObject, since base: Row?) {
        guard let store = store(of: object) else { return }
        for reference in layout.entities[object.row.entity].references {
            let old = base.flatMap { $0.isNull(reference.slot) ? nil : $0.integer(reference.slot) }
            let new = object.row.isNull(reference.slot) ? nil : object.row.integer(reference.slot)
            guard old != new else { continue }
            let owners = store.keySpaces[layout.relationships[reference.inverse].owner]
            if let old {
                pending.deltas[side(reference.inverse, owners, old), default: .init()].removed.insert(object.id.key)
            }
            if let new {
                pending.deltas[side(reference.inverse, owners, new), default: .init()].added.append(object.id.key)
            }
        }
    }

    private func note(_ link: PendingChanges.Link, isAdded: Bool) {
        let table = layout.linkTables[link.table]
        note(.init(relationship: table.first, owner: link.first), link.second.key, isAdded)
        note(.init(relationship: table.second, owner: link.second), link.first.key, isAdded)
    }

    private func note(_ side: PendingChanges.Side, _ member: Int64, _ isAdded: Bool) {
        if isAdded {
            pending.deltas[side, default: .init()].added.append(member)
        } else {
            pending.deltas[side, default: .init()].removed.insert(member)
        }
    }

    private func side(_ relationship: Int, _ storage: UInt32, _ key: Int64) -> PendingChanges.Side {
        .init(relationship: relationship, owner: ObjectID(storage: storage, key: key))
    }
}
