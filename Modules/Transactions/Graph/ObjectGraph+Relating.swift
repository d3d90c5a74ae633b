package import CofferSchema
import CofferStorage

/// Setting relationships. Both sides change at once.
extension ObjectGraph {
    package func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?) {
        let object = object.canonical
        guard mayChange(object), destination.map({ belongs($0, with: object, relationship) }) ?? true else { return }
        let destination = destination.flatMap { isThere($0, for: object) ? $0.canonical : nil }
        watching(object, relationship, { destination.map { [$0] } ?? [] }) {
            attempt(object, relationship) { () throws(StorageError) in
                try setToOne(object, layout.relationships[relationship], destination)
            }
        }
    }

    package func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject]) {
        let object = object.canonical
        guard mayChange(object), destinations.allSatisfy({ belongs($0, with: object, relationship) }) else { return }
        let destinations = destinations.filter { isThere($0, for: object) }.map(\.canonical)
        watching(object, relationship, { destinations }) {
            attempt(object, relationship) { () throws(StorageError) in
                try setToMany(object, layout.relationships[relationship], destinations)
            }
        }
    }

    /// - Parameter body: returns whether anything changed.
    private func attempt(
        _ object: CoreStoreObject, _ relationship: Int, _ body: () throws(StorageError) -> Bool
    ) {
        do throws(StorageError) {
            let isChanged = try body()
            didFail(object, slot: ~relationship, nil)
            if isChanged { didChange(object, slot: -1) }
        } catch {
            didFail(object, slot: ~relationship, error)
            Diagnostics.log(
                CoreStoreError(storage: error),
                "'\(layout.relationships[relationship].name)' of \(object.id) could not be set. "
                    + "The transaction cannot be saved."
            )
            didChange(object, slot: ~relationship)
        }
    }

    /// Whether an object may be related to another; when not, that cannot be saved until it is related anew.
    private func belongs(_ destination: CoreStoreObject, with object: CoreStoreObject, _ relationship: Int) -> Bool {
        guard let problem = problem(destination, with: object) else { return true }
        Diagnostics.assert(false, problem)
        didFail(object, slot: ~relationship, StorageError(.invalidValue, problem))
        didChange(object, slot: ~relationship)
        return false
    }

    private func problem(_ destination: CoreStoreObject, with object: CoreStoreObject) -> String? {
        guard destination.context === context else {
            return "\(destination.id) is of another transaction or data stack than \(object.id). "
                + "Get it by 'transaction.edit(_:)'."
        }
        // One that could not be created is in no store.
        guard destination.id.key >= 0, object.id.key >= 0 else { return nil }
        guard store(of: destination) === store(of: object) else {
            return "\(destination.id) and \(object.id) are in different stores and cannot be related."
        }
        return nil
    }

    private func isThere(_ destination: CoreStoreObject, for object: CoreStoreObject) -> Bool {
        guard destination.isDeleted else { return true }
        Diagnostics.log(.warning, "\(object.id) was related to \(destination.id), which was deleted. It is left out.")
        return false
    }

    // MARK: To-one

    /// - Returns: whether it led elsewhere before.
    @discardableResult
    func setToOne(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destination: CoreStoreObject?
    ) throws(StorageError) -> Bool {
        guard case .reference(let slot, let positionSlot) = relationship.storage else { return false }
        let old = object.row.isNull(slot) ? nil : object.row.integer(slot)
        let inverse = layout.relationships[relationship.inverse]
        guard old != destination?.id.key else { return false }
        if case .reference(let inverseSlot, _) = inverse.storage {
            // Read before anything is written, so that nothing is half done when it cannot be read.
            let previous = try toOne(relationship, of: object)
            var partner: CoreStoreObject?
            if let destination { partner = try toOne(inverse, of: destination) }
            pending.changesPartners = true
            if let previous { end(inverseSlot, of: previous, with: object) }
            if let partner, let destination { end(slot, of: partner, with: destination) }
            if let destination { write(object.id.key, inverseSlot, of: destination) }
            write(destination?.id.key, slot, of: object)
            return true
        }
        guard let store = store(of: object) else { return false }
        let owners = store.keySpaces[relationship.destination]
        var position: Int64?
        if let positionSlot, let destination {
            position = try nextPosition(inverse, of: destination, positionSlot)
        }
        if let old { remove(object, from: inverse, of: ObjectID(storage: owners, key: old)) }
        write(destination?.id.key, slot, of: object)
        if let positionSlot { write(position, positionSlot, of: object) }
        if let destination { add(object, to: inverse, of: destination.id) }
        return true
    }

    /// The place after the last object of an ordered relationship.
    private func nextPosition(
        _ relationship: RelationshipLayout, of owner: CoreStoreObject, _ slot: Int
    ) throws(StorageError) -> Int64 {
        // Only the last one is looked at, or appending many would take the square of their number.
        for key in try relatedKeys(relationship, of: owner).reversed() {
            // One that was let go of is read again; one that is gone has no place.
            let storage = store(of: owner)?.keySpaces[relationship.destination] ?? .max
            guard let last = try object(ObjectID(storage: storage, key: key)), !last.row.isNull(slot) else { continue }
            return OrderedPlaces.after(last.row.integer(slot)) ?? .max
        }
        return OrderedPlaces.step
    }

    // MARK: To-many

    /// - Returns: whether it led elsewhere, or in another order, before.
    private func setToMany(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destinations: [CoreStoreObject]
    ) throws(StorageError) -> Bool {
        var seen: Set<Int64> = []
        let members = destinations.filter { seen.insert($0.id.key).inserted }
        let previous = try toMany(relationship, of: object)
        let kept = Set(previous.map(\.id.key))
        let isSame =
            relationship.isOrdered
            ? members.elementsEqual(previous) { $0.id.key == $1.id.key } : seen == kept
        guard !isSame else { return false }
        beginChange(object)
        let side = PendingChanges.Side(relationship: relationship.index, owner: object.id)
        noteAssigned(side, object)
        let inverse = layout.relationships[relationship.inverse]
        do throws(StorageError) {
            for member in previous where !seen.contains(member.id.key) {
                try unrelate(object, relationship, inverse, member)
            }
            for member in members where !kept.contains(member.id.key) {
                try relate(object, relationship, inverse, member)
            }
        } catch {
            keep(error, isPartial: true)
            throw error
        }
        object.attachRelatedKeys(members.map(\.id.key), relationship.index)
        if relationship.isOrdered { setOrder(object, relationship, members, kept) }
        noteCount(side)
        return true
    }

    private func relate(
        _ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ inverse: RelationshipLayout,
        _ member: CoreStoreObject
    ) throws(StorageError) {
        switch relationship.storage {
        case .inverse: try setToOne(member, inverse, owner)
        case .links(let table, let isFirst):
            link(table, owner.id, member.id, isFirst)
            add(owner, to: inverse, of: member.id)
            add(member, to: relationship, of: owner.id)
        case .reference: break
        }
    }

    private func unrelate(
        _ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ inverse: RelationshipLayout,
        _ member: CoreStoreObject
    ) throws(StorageError) {
        switch relationship.storage {
        case .inverse: try setToOne(member, inverse, nil)
        case .links(let table, let isFirst):
            unlink(table, owner.id, member.id, isFirst)
            remove(owner, from: inverse, of: member.id)
            remove(member, from: relationship, of: owner.id)
        case .reference: break
        }
    }

    // MARK: Both sides

    /// Takes an object that is being deleted out of a relationship's other side.
    func detach(_ object: CoreStoreObject, _ relationship: RelationshipLayout) throws(StorageError) {
        let inverse = layout.relationships[relationship.inverse]
        switch relationship.storage {
        case .reference(let slot, _):
            guard !object.row.isNull(slot), let store = store(of: object) else { return }
            let key = object.row.integer(slot)
            if case .reference(let inverseSlot, _) = inverse.storage {
                pending.changesPartners = true
                if let partner = try toOne(relationship, of: object) { end(inverseSlot, of: partner, with: object) }
            } else {
                let owners = store.keySpaces[relationship.destination]
                remove(object, from: inverse, of: ObjectID(storage: owners, key: key))
            }
        case .inverse(let slot, let positionSlot):
            for member in try toMany(relationship, of: object) {
                guard references(member, object, relationship) else { continue }
                nullifying(slot, of: member) {
                    write(nil, slot, of: member)
                    if let positionSlot { write(nil, positionSlot, of: member) }
                }
            }
        case .links(let table, let isFirst):
            guard let store = store(of: object) else { return }
            let storage = store.keySpaces[relationship.destination]
            // By their keys: one of the members may be the deleted object itself.
            for key in try relatedKeys(relationship, of: object) {
                let member = ObjectID(storage: storage, key: key)
                unlink(table, object.id, member, isFirst)
                remove(object, from: inverse, of: member)
            }
        }
    }

    /// Ends a one-to-one relationship at an object's other end, unless that end has another partner by now.
    func end(_ slot: Int, of partner: CoreStoreObject, with object: CoreStoreObject) {
        guard !partner.row.isNull(slot), partner.row.integer(slot) == object.id.key else { return }
        nullifying(slot, of: partner) { write(nil, slot, of: partner) }
    }

    private func link(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) {
        let link = pendingLink(table, owner, member, isFirst)
        if pending.removedLinks.remove(link) == nil { pending.addedLinks.insert(link) }
    }

    private func unlink(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) {
        let link = pendingLink(table, owner, member, isFirst)
        if pending.addedLinks.remove(link) == nil { pending.removedLinks.insert(link) }
    }

    private func add(_ member: CoreStoreObject, to relationship: RelationshipLayout, of owner: ObjectID) {
        noteStaleChildren()
        let side = PendingChanges.Side(relationship: relationship.index, owner: owner)
        noteCount(side)
        if let object = table(owner.storage)?.object(owner.key) {
            if case .links = relationship.storage, relationship.isOrdered { pending.reordered[side] = object }
            if let known = object.attachment?.relatedKeys[relationship.index] { noteBase(side, known) }
            if var keys = object.attachment?.relatedKeys.removeValue(forKey: relationship.index) {
                keys.append(member.id.key)
                object.attachment?.relatedKeys[relationship.index] = keys
                return
            }
        }
        guard pending.deltas[side]?.order == nil else {
            pending.deltas[side]?.order?.current.append(member.id.key)
            return
        }
        pending.deltas[side, default: .init()].removed.remove(member.id.key)
        pending.deltas[side, default: .init()].added.append(member.id.key)
    }

    private func remove(_ member: CoreStoreObject, from relationship: RelationshipLayout, of owner: ObjectID) {
        noteStaleChildren()
        let side = PendingChanges.Side(relationship: relationship.index, owner: owner)
        noteCount(side)
        if let object = table(owner.storage)?.object(owner.key) {
            if let known = object.attachment?.relatedKeys[relationship.index] { noteBase(side, known) }
            if var keys = object.attachment?.relatedKeys.removeValue(forKey: relationship.index) {
                if let index = keys.firstIndex(of: member.id.key) { keys.remove(at: index) }
                object.attachment?.relatedKeys[relationship.index] = keys
                return
            }
        }
        guard pending.deltas[side]?.order == nil else {
            pending.deltas[side]?.order?.current.removeAll { $0 == member.id.key }
            return
        }
        pending.deltas[side, default: .init()].added.removeAll { $0 == member.id.key }
        pending.deltas[side, default: .init()].removed.insert(member.id.key)
    }

    private func noteCount(_ side: PendingChanges.Side) {
        let relationship = layout.relationships[side.relationship]
        guard relationship.minCount > 0 || relationship.maxCount > 0 else { return }
        pending.counted.insert(side)
    }
}
