import CofferSchema
import CofferStorage

/// What is pending, as seen from the to-many sides that are not loaded.
extension ObjectGraph {
    /// The members of an ordered many-to-many relationship whose order is pending, which nothing else remembers.
    struct PendingOrder {
        let side: PendingChanges.Side
        let owner: CoreStoreObject
        /// All members, when they were loaded.
        var order: PendingChanges.Order?
        /// What comes to the stored members and goes from them, when those were not loaded.
        var delta: PendingChanges.Delta?
    }

    /// The orders that are pending now.
    var pendingOrders: [PendingOrder] {
        pending.reordered.map { side, owner in
            let order = owner.attachment?.relatedKeys[side.relationship].map { keys in
                PendingChanges.Order(base: pending.bases[side] ?? [], current: keys)
            }
            return PendingOrder(side: side, owner: owner, order: order, delta: pending.deltas[side])
        }
    }

    /// Forgets what every to-many relationship leads to.
    ///
    /// What is pending is worked out again from the references of changed objects, from the links and from the orders,
    /// so that the next look finds it, made on what is stored then.
    func forgetRelatedKeys(except orders: [PendingOrder]? = nil) {
        let orders = orders ?? pendingOrders
        forEachLoadedOwner { _, attachment in attachment.relatedKeys = [:] }
        pending.deltas = [:]
        pending.bases = [:]
        for object in pending.inserted where !object.isDeleted { noteReferences(of: object, since: nil) }
        for object in pending.updated where !object.isDeleted { noteReferences(of: object, since: object.base) }
        for link in pending.addedLinks { note(link, isAdded: true) }
        for link in pending.removedLinks { note(link, isAdded: false) }
        for order in orders {
            if let known = order.order {
                pending.deltas[order.side] = PendingChanges.Delta(order: known)
            } else if let delta = order.delta {
                pending.deltas[order.side] = delta
            }
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
        pending.assigned = pending.assigned.filter { !objects.contains($0.owner) }
        pending.expected = pending.expected.filter { !objects.contains($0.key.owner) }
    }

    /// Forgets the links of a side that another transaction has added or removed too: those that are pending, and those of
    /// states that can be undone or redone.
    ///
    /// - Parameters:
    ///   - delta: the pending changes of the side; nil if there are none.
    ///   - stored: the members as they are stored.
    func forgetMadeLinks(_ side: PendingChanges.Side, _ delta: PendingChanges.Delta?, _ stored: [Int64]) {
        guard delta != nil || undo?.isEmpty == false,
            case .links(let table, let isFirst) = layout.relationships[side.relationship].storage,
            let store = space(side.owner.storage)?.store
        else { return }
        var (added, removed) = (delta?.added ?? [], Array(delta?.removed ?? []))
        if let order = delta?.order {
            let (base, current) = (Set(order.base), Set(order.current))
            added = order.current.filter { !base.contains($0) }
            removed = order.base.filter { !current.contains($0) }
        }
        if let undo {
            let links = undo.links(in: table, of: side.owner)
            added += links.added.subtracting(added)
            removed += links.removed.subtracting(removed)
        }
        guard !added.isEmpty || !removed.isEmpty else { return }
        let now = Set(stored)
        let storage = store.keySpaces[layout.relationships[side.relationship].destination]
        func link(_ member: Int64) -> PendingChanges.Link {
            pendingLink(table, side.owner, ObjectID(storage: storage, key: member), isFirst)
        }
        let (present, absent) = (added.filter(now.contains), removed.filter { !now.contains($0) })
        for member in present { pending.addedLinks.remove(link(member)) }
        for member in absent { pending.removedLinks.remove(link(member)) }
        undo?.forgetMade(side, present.map { (link($0), $0) }, absent.map { (link($0), $0) })
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
        guard table.first != table.second || link.first != link.second else { return }
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
