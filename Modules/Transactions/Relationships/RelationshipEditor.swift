import CofferSchema
import CofferStorage
import CofferStorageTools

/// Changes both sides of a relationship after the checks: references, links, inverses, orders and places.
///
/// Both sides change at once.
struct RelationshipEditor {
    let state: ContextState

    // MARK: To-one

    /// Sets a to-one relationship of an object to another object or to nil.
    ///
    /// - Returns: whether the relationship changed.
    @discardableResult
    func setToOne(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destination: CoreStoreObject?
    ) throws(StorageError) -> Bool {
        guard case .reference(let slot, let positionSlot) = relationship.storage else { return false }
        let old = object.row.integerIfAny(slot)
        let inverse = state.layout.relationships[relationship.inverse]
        guard old != destination?.id.key else { return false }
        if case .reference(let inverseSlot, _) = inverse.storage {
            // All reads come before the first write, so that a failed read leaves no partial change.
            let previous = try state.loader.toOne(relationship, of: object)
            var partner: CoreStoreObject?
            if let destination { partner = try state.loader.toOne(inverse, of: destination) }
            state.pending.changesPartners = true
            if let previous { end(inverseSlot, of: previous, with: object) }
            if let partner, let destination { end(slot, of: partner, with: destination) }
            if let destination { state.editor.write(object.id.key, inverseSlot, of: destination) }
            state.editor.write(destination?.id.key, slot, of: object)
            return true
        }
        guard let store = state.identities.store(of: object) else { return false }
        var position: Int64?
        if let positionSlot, let destination {
            position = try nextPosition(inverse, of: destination, positionSlot)
        }
        if let old { change(inverse, of: store.id(old, of: relationship.destination), object, isMember: false) }
        state.editor.write(destination?.id.key, slot, of: object)
        if let positionSlot { state.editor.write(position, positionSlot, of: object) }
        if let destination { change(inverse, of: destination.id, object, isMember: true) }
        return true
    }

    /// Returns the place after the last object of an ordered relationship.
    private func nextPosition(
        _ relationship: RelationshipLayout, of owner: CoreStoreObject, _ slot: Int
    ) throws(StorageError) -> Int64 {
        guard let store = state.identities.store(of: owner) else { return OrderedPlaces.step }
        // Only the last member is examined. Otherwise, appending many members would take the square of their number.
        for key in try state.loader.members(relationship, of: owner).reversed {
            // A released member is read again, and a deleted member has no place.
            let last = try state.finder.object(store.id(key, of: relationship.destination))
            guard let place = last?.row.integerIfAny(slot) else { continue }
            return OrderedPlaces.after(place) ?? .max
        }
        return OrderedPlaces.step
    }

    // MARK: To-many

    /// Sets the members of a to-many relationship of an object.
    ///
    /// - Returns: whether the members or their order changed.
    func setToMany(
        _ object: CoreStoreObject, _ relationship: RelationshipLayout, _ destinations: [CoreStoreObject]
    ) throws(StorageError) -> Bool {
        var seen: Set<Int64> = []
        let members = destinations.filter { seen.insert($0.id.key).inserted }
        let previous = try state.loader.toMany(relationship, of: object)
        let kept = Set(previous.map(\.id.key))
        let isSame =
            relationship.isOrdered
            ? members.elementsEqual(previous) { $0.id.key == $1.id.key } : seen == kept
        guard !isSame else { return false }
        state.editor.beginChange(object)
        let side = PendingChanges.Side(relationship: relationship.index, owner: object.id)
        state.deltas.noteAssigned(side, object)
        do throws(StorageError) {
            for member in previous where !seen.contains(member.id.key) {
                try relate(object, relationship, member, isMember: false)
            }
            for member in members where !kept.contains(member.id.key) {
                try relate(object, relationship, member, isMember: true)
            }
        } catch {
            state.failures.keep(error, isPartial: true)
            throw error
        }
        state.loader.attach(members.map(\.id.key), relationship, to: object)
        if relationship.isOrdered { setOrder(object, relationship, members, kept) }
        noteCount(side)
        return true
    }

    /// Adds a member to a relationship and to its inverse, or removes it from both.
    private func relate(
        _ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ member: CoreStoreObject, isMember: Bool
    ) throws(StorageError) {
        let inverse = state.layout.relationships[relationship.inverse]
        switch relationship.storage {
        case .inverse: try setToOne(member, inverse, isMember ? owner : nil)
        case .links(let table, let isFirst):
            let link = state.deltas.pendingLink(table, owner.id, member.id, isFirst)
            if isMember { state.pending.add(link) } else { state.pending.remove(link) }
            change(inverse, of: member.id, owner, isMember: isMember)
            change(relationship, of: owner.id, member, isMember: isMember)
        case .reference: break
        }
    }

    // MARK: Both sides

    /// Removes an object that is being deleted from the inverse of a relationship.
    func detach(_ object: CoreStoreObject, _ relationship: RelationshipLayout) throws(StorageError) {
        let inverse = state.layout.relationships[relationship.inverse]
        switch relationship.storage {
        case .reference(let slot, _):
            guard let key = object.row.integerIfAny(slot), let store = state.identities.store(of: object) else {
                return
            }
            if case .reference(let inverseSlot, _) = inverse.storage {
                state.pending.changesPartners = true
                if let partner = try state.loader.toOne(relationship, of: object) {
                    end(inverseSlot, of: partner, with: object)
                }
            } else {
                change(inverse, of: store.id(key, of: relationship.destination), object, isMember: false)
            }
        case .inverse(let slot, let positionSlot):
            for member in try state.loader.toMany(relationship, of: object) {
                guard state.deltas.references(member, object, relationship) else { continue }
                state.editor.nullifying(slot, of: member) {
                    state.editor.write(nil, slot, of: member)
                    if let positionSlot { state.editor.write(nil, positionSlot, of: member) }
                }
            }
        case .links(let table, let isFirst):
            guard let store = state.identities.store(of: object) else { return }
            // The loop uses keys, because one of the members may be the deleted object itself.
            for key in try state.loader.relatedKeys(relationship, of: object) {
                let member = store.id(key, of: relationship.destination)
                state.pending.remove(state.deltas.pendingLink(table, object.id, member, isFirst))
                change(inverse, of: member, object, isMember: false)
            }
        }
    }

    /// Sets the inverse of a one-to-one relationship to nil, unless it references another object by now.
    func end(_ slot: Int, of partner: CoreStoreObject, with object: CoreStoreObject) {
        guard partner.row.integerIfAny(slot) == object.id.key else { return }
        state.editor.nullifying(slot, of: partner) { state.editor.write(nil, slot, of: partner) }
    }

    /// Adds a member to one side of a relationship, or removes it from this side.
    private func change(
        _ relationship: RelationshipLayout, of owner: ObjectID, _ member: CoreStoreObject, isMember: Bool
    ) {
        state.noteStaleChildren()
        let side = PendingChanges.Side(relationship: relationship.index, owner: owner)
        let key = member.id.key
        noteCount(side)
        if let object = state.identities.object(owner) {
            if isMember, relationship.isOrdered, case .links = relationship.storage {
                state.pending.reordered[side] = object
            }
            if let attachment = object.attachment, attachment.relatedKeys.contains(relationship.index) {
                state.deltas.noteBase(side, attachment)
                if isMember {
                    attachment.relatedKeys[relationship.index]?.append(key)
                } else {
                    attachment.relatedKeys[relationship.index]?.remove(key)
                }
                return
            }
        }
        if isMember {
            state.pending.deltas[side, default: .init()].add(key)
        } else {
            state.pending.deltas[side, default: .init()].remove(key)
        }
    }

    private func noteCount(_ side: PendingChanges.Side) {
        let relationship = state.layout.relationships[side.relationship]
        guard relationship.minCount > 0 || relationship.maxCount > 0 else { return }
        state.pending.counted.insert(side)
    }

    /// Sets the order of the members of an ordered relationship.
    ///
    /// Members of one-to-many relationships get their places now, with as few new places as possible. Members of
    /// many-to-many relationships get their places in the commit.
    ///
    /// - Parameter kept: the keys of the members before the change.
    func setOrder(
        _ owner: CoreStoreObject, _ relationship: RelationshipLayout, _ members: [CoreStoreObject], _ kept: Set<Int64>
    ) {
        guard case .inverse(_, let slot?) = relationship.storage else {
            state.pending.reordered[.init(relationship: relationship.index, owner: owner.id)] = owner
            return
        }
        let places = members.map { $0.row.integerIfAny(slot) }
        let staying = members.indices.filter { places[$0] != nil && kept.contains(members[$0].id.key) }
        func precedes(_ left: Int, _ right: Int) -> Bool {
            (places[left] ?? .min, members[left].id.key) < (places[right] ?? .min, members[right].id.key)
        }
        var isFixed = Array(repeating: false, count: members.count)
        if zip(staying, staying.dropFirst()).allSatisfy(precedes) {
            for index in staying { isFixed[index] = true }
        } else {
            var ranks = Array(repeating: 0, count: members.count)
            for (rank, index) in staying.sorted(by: precedes).enumerated() { ranks[index] = rank }
            for place in AscendingRun.longest(in: staying.map { ranks[$0] }) { isFixed[staying[place]] = true }
        }
        for (index, place) in OrderedPlaces.changes(places, isFixed: isFixed) where places[index] != place {
            state.editor.write(place, slot, of: members[index])
        }
    }
}
