import CofferSchema
import CofferStorage

/// The pending additions and removals of members in to-many relationships that are not loaded.
struct RelationshipDeltas {
    let state: ContextState

    /// The pending orders at this moment.
    var pendingOrders: [PendingOrder] {
        state.pending.reordered.map { side, owner in
            let order = owner.attachment?.relatedKeys[side.relationship].map { keys in
                PendingChanges.Order(base: state.pending.bases[side] ?? [], current: keys)
            }
            return PendingOrder(side: side, owner: owner, order: order, delta: state.pending.deltas[side])
        }
    }

    /// Discards the loaded members of all to-many relationships.
    ///
    /// The pending changes are computed again from the references of changed objects, the links and the orders. The
    /// next access to a relationship applies them to the members that are stored then.
    func forgetRelatedKeys(except orders: [PendingOrder]? = nil) {
        let orders = orders ?? pendingOrders
        state.identities.forEachLoadedOwner { _, attachment in attachment.relatedKeys.removeAll() }
        state.pending.deltas = [:]
        state.pending.bases = [:]
        for object in state.pending.inserted where !object.isDeleted { noteReferences(of: object, since: nil) }
        for object in state.pending.updated where !object.isDeleted { noteReferences(of: object, since: object.base) }
        for link in state.pending.addedLinks { note(link, isAdded: true) }
        for link in state.pending.removedLinks { note(link, isAdded: false) }
        for order in orders {
            if let known = order.order {
                state.pending.deltas[order.side] = PendingChanges.Delta(order: known)
            } else if let delta = order.delta {
                state.pending.deltas[order.side] = delta
            }
        }
    }

    /// Discards the pending links of some objects, and the orders that contain these links.
    func forgetLinks(of objects: Set<ObjectID>) {
        var touched: Set<PendingChanges.Side> = []
        func keeps(_ link: PendingChanges.Link) -> Bool {
            guard objects.contains(link.first) || objects.contains(link.second) else { return true }
            let table = state.layout.linkTables[link.table]
            touched.insert(.init(relationship: table.first, owner: link.first))
            touched.insert(.init(relationship: table.second, owner: link.second))
            return false
        }
        state.pending.addedLinks = state.pending.addedLinks.filter(keeps)
        state.pending.removedLinks = state.pending.removedLinks.filter(keeps)
        state.pending.reordered = state.pending.reordered.filter { side, _ in
            !touched.contains(side) && !objects.contains(side.owner)
        }
        state.pending.assigned = state.pending.assigned.filter { !objects.contains($0.owner) }
        state.pending.expected = state.pending.expected.filter { !objects.contains($0.key.owner) }
    }

    /// Discards the links of a side that another transaction has added or removed, too.
    ///
    /// The method discards pending links, and links in states that can be undone or redone.
    ///
    /// - Parameters:
    ///   - delta: the pending changes of the side; nil if there are none.
    ///   - stored: the stored members.
    func forgetMadeLinks(_ side: PendingChanges.Side, _ delta: PendingChanges.Delta?, _ stored: [Int64]) {
        guard delta != nil || state.undo?.isEmpty == false,
            case .links(let table, let isFirst) = state.layout.relationships[side.relationship].storage,
            let store = state.identities.store(of: side.owner)
        else { return }
        var (added, removed) = (delta?.added.keys ?? [], Array(delta?.removed ?? []))
        if let order = delta?.order {
            let (base, current) = (Set(order.base), Set(order.current.keys))
            added = order.current.keys.filter { !base.contains($0) }
            removed = order.base.filter { !current.contains($0) }
        }
        if let undo = state.undo {
            let links = undo.links(in: table, of: side.owner)
            added += links.added.subtracting(added)
            removed += links.removed.subtracting(removed)
        }
        guard !added.isEmpty || !removed.isEmpty else { return }
        let now = Set(stored)
        let destination = state.layout.relationships[side.relationship].destination
        func link(_ member: Int64) -> PendingChanges.Link {
            pendingLink(table, side.owner, store.id(member, of: destination), isFirst)
        }
        let (present, absent) = (added.filter(now.contains), removed.filter { !now.contains($0) })
        for member in present { state.pending.addedLinks.remove(link(member)) }
        for member in absent { state.pending.removedLinks.remove(link(member)) }
        state.undo?.forgetMade(side, present.map { (link($0), $0) }, absent.map { (link($0), $0) })
    }

    private func noteReferences(of object: CoreStoreObject, since base: Row?) {
        guard let store = state.identities.store(of: object) else { return }
        for reference in state.layout.entities[object.row.entity].references {
            let old = base?.integerIfAny(reference.slot)
            let new = object.row.integerIfAny(reference.slot)
            guard old != new else { continue }
            let owners = state.layout.relationships[reference.inverse].owner
            for case (let owner?, let isAdded) in [(old, false), (new, true)] {
                let side = PendingChanges.Side(relationship: reference.inverse, owner: store.id(owner, of: owners))
                note(side, object.id.key, isAdded)
            }
        }
    }

    private func note(_ link: PendingChanges.Link, isAdded: Bool) {
        let table = state.layout.linkTables[link.table]
        note(.init(relationship: table.first, owner: link.first), link.second.key, isAdded)
        guard table.first != table.second || link.first != link.second else { return }
        note(.init(relationship: table.second, owner: link.second), link.first.key, isAdded)
    }

    private func note(_ side: PendingChanges.Side, _ member: Int64, _ isAdded: Bool) {
        if isAdded {
            state.pending.deltas[side, default: .init()].added.append(member)
        } else {
            state.pending.deltas[side, default: .init()].removed.insert(member)
        }
    }

    /// Records the members of a to-many side before the transaction changes them.
    func noteBase(_ side: PendingChanges.Side, _ attachment: ObjectAttachment?) {
        guard state.pending.bases[side] == nil else { return }
        state.pending.bases[side] = attachment?.relatedKeys[side.relationship]?.keys ?? []
    }

    /// Records that a to-many side with known members is about to be set.
    func noteAssigned(_ side: PendingChanges.Side, _ owner: CoreStoreObject) {
        noteBase(side, owner.attachment)
        guard state.pending.assigned.insert(side).inserted, state.throwsOnConflict, !owner.state.contains(.isInserted)
        else {
            return
        }
        state.pending.expected[side] = state.pending.bases[side]
    }

    /// Returns the pending form of a link: one direction only if the relationship is its own inverse.
    func pendingLink(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) -> PendingChanges.Link {
        var link = PendingChanges.Link(table: table, first: isFirst ? owner : member, second: isFirst ? member : owner)
        let sides = state.layout.linkTables[table]
        if sides.first == sides.second, link.first.key > link.second.key { swap(&link.first, &link.second) }
        return link
    }

    /// Returns the pending form of a link between two objects; nil if the relationship has no links.
    func link(_ relationship: RelationshipLayout, _ owner: ObjectID, _ member: ObjectID) -> PendingChanges.Link? {
        guard case .links(let table, let isFirst) = relationship.storage else { return nil }
        return pendingLink(table, owner, member, isFirst)
    }

    /// Returns the members that links add to ordered sides or remove from them.
    func orderedMembers(of links: Set<PendingChanges.Link>) -> [PendingChanges.Side: [Int64]] {
        var members: [PendingChanges.Side: [Int64]] = [:]
        for link in links {
            let table = state.layout.linkTables[link.table]
            if table.isFirstOrdered {
                members[.init(relationship: table.first, owner: link.first), default: []].append(link.second.key)
            }
            if table.isSecondOrdered, table.first != table.second || link.first != link.second {
                members[.init(relationship: table.second, owner: link.second), default: []].append(link.first.key)
            }
        }
        return members
    }

    /// Whether a member references its owner.
    ///
    /// The row of the member may be newer than the list of members.
    func references(_ member: CoreStoreObject, _ owner: CoreStoreObject, _ relationship: RelationshipLayout) -> Bool {
        guard case .reference(let slot, _) = state.layout.relationships[relationship.inverse].storage else {
            return true
        }
        return member.row.integerIfAny(slot) == owner.id.key
    }

    /// Whether an object that the store relates to a deleted object is also related to it here.
    func isRelated(
        _ member: CoreStoreObject, to owner: CoreStoreObject, _ relationship: RelationshipLayout
    ) -> Bool {
        guard let link = link(relationship, owner.id, member.id) else {
            return references(member, owner, relationship)
        }
        return !state.pending.removedLinks.contains(link)
    }

    /// Calls a closure with each reference of an object's row, and with its target.
    ///
    /// - Parameter changed: the columns to examine; nil for all.
    func forEachReference(
        of object: CoreStoreObject, _ row: Row, _ changed: ColumnSet?,
        _ body: (_ relationship: RelationshipLayout, _ target: ObjectID) -> Void
    ) {
        guard let store = state.identities.store(of: object) else { return }
        for index in state.layout.entities[row.entity].relationships {
            guard case .reference(let slot, _) = state.layout.relationships[index].storage,
                changed?.contains(slot) != false, let key = row.integerIfAny(slot)
            else { continue }
            let relationship = state.layout.relationships[index]
            body(relationship, store.id(key, of: relationship.destination))
        }
    }

    /// Whether the store relates two objects, as far as the rows read and the pending links show.
    func isStored(_ relationship: RelationshipLayout, of owner: CoreStoreObject, _ member: CoreStoreObject) -> Bool {
        guard !member.state.contains(.isInserted) else { return false }
        switch (relationship.storage, state.layout.relationships[relationship.inverse].storage) {
        case (_, .reference(let slot, _)): return (member.base ?? member.row).integerIfAny(slot) == owner.id.key
        case (.reference(let slot, _), _): return (owner.base ?? owner.row).integerIfAny(slot) == member.id.key
        case (.links(let table, let isFirst), _):
            return !state.pending.addedLinks.contains(pendingLink(table, owner.id, member.id, isFirst))
        default: return false
        }
    }
}
