package import CofferSchema
import CofferStorage

/// Setting relationships. Both sides change at once.
extension ObjectGraph {
    package func relate(_ object: CoreStoreObject, toOne relationship: Int, _ destination: CoreStoreObject?) {
        let object = object.canonical
        guard willChange(object), destination.map({ belongs($0, with: object) }) ?? true else { return }
        let destination = destination.flatMap { isThere($0, for: object) ? $0.canonical : nil }
        watching(object, relationship, { destination.map { [$0] } ?? [] }) {
            attempt(object, relationship) { () throws(StorageError) in
                try setToOne(object, layout.relationships[relationship], destination)
            }
        }
    }

    package func relate(_ object: CoreStoreObject, toMany relationship: Int, _ destinations: [CoreStoreObject]) {
        let object = object.canonical
        guard willChange(object), destinations.allSatisfy({ belongs($0, with: object) }) else { return }
        let destinations = destinations.filter { isThere($0, for: object) }.map(\.canonical)
        watching(object, relationship, { destinations }) {
            attempt(object, relationship) { () throws(StorageError) in
                try setToMany(object, layout.relationships[relationship], destinations)
            }
        }
    }

    private func attempt(_ object: CoreStoreObject, _ relationship: Int, _ body: () throws(StorageError) -> Void) {
        do throws(StorageError) {
            try body()
            didChange(object, slot: -1)
        } catch {
            // The save must not succeed as if nothing had happened.
            failure = failure ?? error
            Diagnostics.log(
                CoreStoreError(storage: error),
                "'\(layout.relationships[relationship].name)' of \(object.id) could not be set. "
                    + "The transaction cannot be saved."
            )
        }
    }

    private func belongs(_ destination: CoreStoreObject, with object: CoreStoreObject) -> Bool {
        guard destination.context === context else {
            Diagnostics.assert(
                false,
                "\(destination.id) is of another transaction or data stack than \(object.id). "
                    + "Get it by 'transaction.edit(_:)'."
            )
            return false
        }
        guard store(of: destination) === store(of: object) else {
            Diagnostics.assert(
                false, "\(destination.id) and \(object.id) are in different stores and cannot be related.")
            return false
        }
        return true
    }

    private func isThere(_ destination: CoreStoreObject, for object: CoreStoreObject) -> Bool {
        guard destination.isDeleted else { return true }
        Diagnostics.log(.warning, "\(object.id) was related to \(destination.id), which was deleted. It is left out.")
        return false
    }

    // MARK: To-one

    func setToOne(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destination: CoreStoreObject?
    ) throws(StorageError) {
        guard case .reference(let slot, let positionSlot) = relationship.storage else { return }
        let old = object.row.isNull(slot) ? nil : object.row.integer(slot)
        let inverse = layout.relationships[relationship.inverse]
        guard old != destination?.id.key else { return write(old, slot, of: object) }
        if case .reference(let inverseSlot, _) = inverse.storage {
            if let previous = try toOne(relationship, of: object) { write(nil, inverseSlot, of: previous) }
            if let destination {
                if let partner = try toOne(inverse, of: destination) { write(nil, slot, of: partner) }
                write(object.id.key, inverseSlot, of: destination)
            }
            return write(destination?.id.key, slot, of: object)
        }
        guard let store = store(of: object) else { return }
        let owners = store.keySpaces[relationship.destination]
        if let old { remove(object, from: inverse, of: ObjectID(storage: owners, key: old)) }
        write(destination?.id.key, slot, of: object)
        if let destination {
            if let positionSlot {
                write(try nextPosition(inverse, of: destination, positionSlot), positionSlot, of: object)
            }
            add(object, to: inverse, of: destination.id)
        } else if let positionSlot {
            write(nil, positionSlot, of: object)
        }
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
            let (next, isTooFar) = max(last.row.integer(slot), 0).addingReportingOverflow(Self.positionStep)
            return isTooFar ? .max : next
        }
        return Self.positionStep
    }

    /// The distance between the positions of neighbours, so that one can be put between them.
    static var positionStep: Int64 { 1 << 16 }

    // MARK: To-many

    private func setToMany(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destinations: [CoreStoreObject]
    ) throws(StorageError) {
        var seen: Set<Int64> = []
        let members = destinations.filter { seen.insert($0.id.key).inserted }
        let previous = try toMany(relationship, of: object)
        let kept = Set(previous.map(\.id.key))
        let inverse = layout.relationships[relationship.inverse]
        for member in previous where !seen.contains(member.id.key) {
            try unrelate(object, relationship, inverse, member)
        }
        for member in members where !kept.contains(member.id.key) {
            try relate(object, relationship, inverse, member)
        }
        object.attachRelatedKeys(members.map(\.id.key), relationship.index)
        if relationship.isOrdered { setOrder(object, relationship, members) }
        noteCount(.init(relationship: relationship.index, owner: object.id))
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

    /// Gives the members of an ordered relationship ascending positions, changing as few as it can tell.
    private func setOrder(_ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ members: [CoreStoreObject]) {
        guard case .inverse(_, let positionSlot?) = relationship.storage else {
            pending.reordered[.init(relationship: relationship.index, owner: owner.id)] = owner
            return
        }
        var last = Int64.min / 2
        var isAscending = true
        for member in members {
            let position = member.row.isNull(positionSlot) ? Int64.min : member.row.integer(positionSlot)
            if position <= last { isAscending = false }
            last = position
        }
        guard !isAscending else { return }
        for (index, member) in members.enumerated() {
            let position = Int64(index + 1) * Self.positionStep
            if member.row.isNull(positionSlot) || member.row.integer(positionSlot) != position {
                write(position, positionSlot, of: member)
            }
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
                if let partner = try toOne(relationship, of: object) { write(nil, inverseSlot, of: partner) }
            } else {
                let owners = store.keySpaces[relationship.destination]
                remove(object, from: inverse, of: ObjectID(storage: owners, key: key))
            }
        case .inverse(let slot, let positionSlot):
            for member in try toMany(relationship, of: object) {
                write(nil, slot, of: member)
                if let positionSlot { write(nil, positionSlot, of: member) }
            }
        case .links(let table, let isFirst):
            for member in try toMany(relationship, of: object) {
                unlink(table, object.id, member.id, isFirst)
                remove(object, from: inverse, of: member.id)
            }
        }
    }

    private func link(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) {
        let link = PendingChanges.Link(table: table, first: isFirst ? owner : member, second: isFirst ? member : owner)
        if pending.removedLinks.remove(link) == nil { pending.addedLinks.insert(link) }
    }

    private func unlink(_ table: Int, _ owner: ObjectID, _ member: ObjectID, _ isFirst: Bool) {
        let link = PendingChanges.Link(table: table, first: isFirst ? owner : member, second: isFirst ? member : owner)
        if pending.addedLinks.remove(link) == nil { pending.removedLinks.insert(link) }
    }

    private func add(_ member: CoreStoreObject, to relationship: RelationshipLayout, of owner: ObjectID) {
        let side = PendingChanges.Side(relationship: relationship.index, owner: owner)
        noteCount(side)
        if let object = table(owner.storage)?.object(owner.key) {
            if case .links = relationship.storage, relationship.isOrdered { pending.reordered[side] = object }
            if var keys = object.attachment?.relatedKeys.removeValue(forKey: relationship.index) {
                keys.append(member.id.key)
                object.attachment?.relatedKeys[relationship.index] = keys
                return
            }
        }
        pending.deltas[side, default: .init()].removed.remove(member.id.key)
        pending.deltas[side, default: .init()].added.append(member.id.key)
    }

    private func remove(_ member: CoreStoreObject, from relationship: RelationshipLayout, of owner: ObjectID) {
        let side = PendingChanges.Side(relationship: relationship.index, owner: owner)
        noteCount(side)
        if let object = table(owner.storage)?.object(owner.key) {
            if var keys = object.attachment?.relatedKeys.removeValue(forKey: relationship.index) {
                if let index = keys.firstIndex(of: member.id.key) { keys.remove(at: index) }
                object.attachment?.relatedKeys[relationship.index] = keys
                return
            }
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
