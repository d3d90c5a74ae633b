import CofferSchema
import CofferStorage

/// What is pending, as seen from the to-many sides that are not loaded.
extension ObjectGraph {
    /// Forgets what every to-many relationship leads to.
    ///
    /// What is pending is worked out again from the references of changed objects and from the links, so that the next
    /// look finds it. An order that was set is kept: nothing else remembers it.
    func forgetRelatedKeys() {
        let orders = pending.reordered.compactMap { side, owner in
            (owner.attachment?.relatedKeys[side.relationship]).map { (side, owner, $0) }
        }
        defer {
            for (side, owner, keys) in orders {
                pending.deltas[side] = nil
                owner.attachRelatedKeys(keys, side.relationship)
            }
        }
        forEachLoadedOwner { _, attachment in attachment.relatedKeys = [:] }
        pending.deltas = [:]
        for object in pending.inserted where !object.isDeleted { noteReferences(of: object, since: nil) }
        for object in pending.updated where !object.isDeleted { noteReferences(of: object, since: object.base) }
        for link in pending.addedLinks { note(link, isAdded: true) }
        for link in pending.removedLinks { note(link, isAdded: false) }
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
