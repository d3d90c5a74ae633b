import CofferSchema
import CofferStorage
import CofferStorageTools

/// Loads the related objects of relationships for a whole batch of objects, and applies pending links to them.
struct RelationshipLoader {
    let state: ContextState

    // MARK: To-one

    func toOne(_ relationship: RelationshipLayout, of object: CoreStoreObject) throws(StorageError) -> CoreStoreObject?
    {
        guard case .reference(let slot, _) = relationship.storage, let key = object.row.integerIfAny(slot),
            let store = state.identities.store(of: object)
        else { return nil }
        guard let table = state.identities.table(store.keySpaces[relationship.destination]) else { return nil }
        if let known = table.object(key) {
            guard known.isDeleted else { return known }
            return state.merger.mayReturn(known) ? try state.finder.object(known.id) : nil
        }
        let loaded = try loadDestinations(relationship, slot, for: object, store, table)
        return withExtendedLifetime(loaded) {
            guard let found = table.object(key), !found.isDeleted else { return nil }
            return found
        }
    }

    private func loadDestinations(
        _ relationship: RelationshipLayout, _ slot: Int, for object: CoreStoreObject, _ store: OpenStore,
        _ destinations: IdentityTable
    ) throws(StorageError) -> [CoreStoreObject] {
        var wanted: Set<Int64> = []
        forEachInBatch(of: object) { member in
            guard state.layout.entity(member.row.entity, isKindOf: relationship.owner),
                let key = member.row.integerIfAny(slot), destinations.object(key) == nil
            else { return }
            wanted.insert(key)
        }
        return state.factory.objects(try rows(wanted, relationship, store), relationship.destination, store)
    }

    /// Returns the rows of related objects with some keys.
    private func rows(
        _ keys: Set<Int64>, _ relationship: RelationshipLayout, _ store: OpenStore
    ) throws(StorageError) -> [Row] {
        let root = state.layout.entities[relationship.destination].root
        return try state.readers.rows(keys.sorted(), root: root, store, "fetch '\(relationship.name)'")
    }

    // MARK: To-many

    func toMany(
        _ relationship: RelationshipLayout, of object: CoreStoreObject
    ) throws(StorageError) -> [CoreStoreObject] {
        var result: [CoreStoreObject] = []
        try forEachRelated(relationship, of: object) {
            result.reserveCapacity($0)
        } _: {
            result.append($0.takeUnretainedValue())
        }
        return result
    }

    /// Calls a closure with each related object of a to-many relationship.
    ///
    /// Before that, `reserve` receives the maximum number of objects. The identity table retains the objects during
    /// the call.
    @inline(__always)
    func forEachRelated(
        _ relationship: RelationshipLayout, of object: CoreStoreObject, reserve: (Int) -> Void,
        _ body: (Unmanaged<CoreStoreObject>) -> Void
    ) throws(StorageError) {
        guard let store = state.identities.store(of: object),
            let table = state.identities.table(store.keySpaces[relationship.destination])
        else {
            return
        }
        let keys = try relatedKeys(relationship, of: object)
        reserve(keys.count)
        for index in keys.indices {
            guard let known = table.unretainedObject(keys[index]) else {
                for found in try reloaded(relationship, of: object, keys[index...], store, table) {
                    body(.passUnretained(found))
                }
                return
            }
            if known._withUnsafeGuaranteedRef({ !$0.isDeleted }) { body(known) }
        }
    }

    /// Returns the keys of the members of a to-many relationship.
    ///
    /// If the members must be read, their objects are created too, and stay until more objects are created.
    func relatedKeys(
        _ relationship: RelationshipLayout, of object: CoreStoreObject
    ) throws(StorageError) -> [Int64] {
        if let keys = object.attachment?.relatedKeys.keys(relationship.index) { return keys }
        if object.state.contains(.isInserted) {
            let keys = currentKeys([], relationship, object)
            attach(keys, relationship, to: object)
            return keys
        }
        try loadMembers(relationship, for: object)
        return object.attachment?.relatedKeys.keys(relationship.index) ?? []
    }

    /// Returns the keys of the members of a to-many relationship, without creating a list of them.
    func members(_ relationship: RelationshipLayout, of object: CoreStoreObject) throws(StorageError) -> MemberKeys {
        if let known = object.attachment?.relatedKeys[relationship.index] { return known }
        return MemberKeys(try relatedKeys(relationship, of: object))
    }

    /// Stores the members of a to-many relationship in their owner.
    func attach(_ keys: [Int64], _ relationship: RelationshipLayout, to owner: CoreStoreObject) {
        state.relations.areLoaded = true
        owner.attached.relatedKeys.set(MemberKeys(keys), relationship.index)
    }

    /// Loads a to-many relationship for the whole batch of an object.
    private func loadMembers(_ relationship: RelationshipLayout, for object: CoreStoreObject) throws(StorageError) {
        guard let store = state.identities.store(of: object), let owners = state.identities.table(object.id.storage)
        else { return }
        var unknown: [Int64] = []
        forEachInBatch(of: object) { member in
            guard member.state.isDisjoint(with: .isInserted),
                member.attachment?.relatedKeys.contains(relationship.index) != true,
                state.layout.entity(member.row.entity, isKindOf: relationship.owner)
            else { return }
            unknown.append(member.id.key)
        }
        // The keys of a batch are often sorted already.
        let isSorted = unknown.indices.dropFirst().allSatisfy { unknown[$0 - 1] < unknown[$0] }
        let sorted = isSorted ? unknown : Set(unknown).sorted()
        try state.factory.makeObjects(relationship.destination, store) { maker throws(StorageError) in
            let members = MemberMaker(maker, OwnerPlaces(sorted), isOrdered: relationship.isOrdered)
            try state.readers.read(store, "fetch '\(relationship.name)'") { reader throws(StorageError) in
                try reader.forEachRelated(relationship.index, of: sorted) { members.add($1, of: $0) }
            }
            members.forEachOwner { key, members in
                guard let owner = owners.object(key) else { return }
                attach(currentKeys(members, relationship, owner), relationship, to: owner)
            }
        }
    }

    /// Returns the related objects after reading the released members of the whole batch again.
    private func reloaded(
        _ relationship: RelationshipLayout, of object: CoreStoreObject, _ keys: ArraySlice<Int64>, _ store: OpenStore,
        _ table: IdentityTable
    ) throws(StorageError) -> [CoreStoreObject] {
        var missing: Set<Int64> = []
        forEachInBatch(of: object) { member in
            for key in member.attachment?.relatedKeys[relationship.index]?.keys ?? [] where table.object(key) == nil {
                missing.insert(key)
            }
        }
        let rows = try rows(missing, relationship, store)
        if !state.isEditable, rows.count < missing.count {
            forgetMembers(missing.subtracting(rows.lazy.map(\.key)), relationship, inBatchOf: object)
        }
        return withExtendedLifetime(state.factory.objects(rows, relationship.destination, store)) {
            keys.compactMap { key in
                guard let known = table.object(key), !known.isDeleted else { return nil }
                return known
            }
        }
    }

    /// Removes members that the store no longer contains from a relationship of a whole batch.
    private func forgetMembers(
        _ keys: Set<Int64>, _ relationship: RelationshipLayout, inBatchOf object: CoreStoreObject
    ) {
        forEachInBatch(of: object) { member in
            guard let members = member.attachment?.relatedKeys[relationship.index] else { return }
            member.attachment?.relatedKeys[relationship.index] = MemberKeys(members.keys.filter { !keys.contains($0) })
        }
    }

    private func forEachInBatch(of object: CoreStoreObject, _ body: (CoreStoreObject) -> Void) {
        guard let keys = state.identities.batches.keys(object.batch),
            let table = state.identities.table(object.id.storage)
        else { return body(object) }
        var isIncluded = false
        for key in keys {
            guard let member = table.object(key), !member.isDeleted else { continue }
            isIncluded = isIncluded || member === object
            body(member)
        }
        if !isIncluded { body(object) }
    }

    /// Returns the stored keys with the pending changes applied, in the order of the members' places.
    private func currentKeys(
        _ stored: [Int64], _ relationship: RelationshipLayout, _ owner: CoreStoreObject
    ) -> [Int64] {
        let keys = keptHere(applyDelta(to: stored, relationship.index, owner), relationship, owner)
        guard !state.pending.isEmpty, case .inverse(_, let positionSlot?) = relationship.storage else { return keys }
        // The store knows the saved places, but other places may be pending.
        return keys.map { key in (position: position(of: key, relationship, positionSlot, owner), key: key) }
            .sorted { $0 < $1 }.map(\.key)
    }

    /// Leaves out the stored members that this transaction has related to another object.
    ///
    /// Deleted members stay in the list, because the store still relates them. They are skipped when objects are
    /// created.
    private func keptHere(
        _ keys: [Int64], _ relationship: RelationshipLayout, _ owner: CoreStoreObject
    ) -> [Int64] {
        guard !state.pending.updated.isEmpty, !state.keepsSnapshot, case .inverse(let slot, _) = relationship.storage,
            let members = state.identities.store(of: owner).flatMap({
                state.identities.table($0.keySpaces[relationship.destination])
            })
        else { return keys }
        return keys.filter { key in
            members.object(key).map { $0.isDeleted || !isRelatedElsewhere($0, slot, than: owner.id.key) } ?? true
        }
    }

    /// Whether the transaction has set a reference to another object than the object with a key, or to nil.
    func isRelatedElsewhere(_ object: CoreStoreObject, _ slot: Int, than key: Int64) -> Bool {
        object.changed.contains(slot) && object.row.integerIfAny(slot) != key
    }

    /// Returns the place of a member of an ordered relationship; the least integer if it has none.
    func position(
        of member: Int64, _ relationship: RelationshipLayout, _ slot: Int, _ owner: CoreStoreObject
    ) -> Int64 {
        let store = state.identities.store(of: owner)
        let members = store.flatMap { state.identities.table($0.keySpaces[relationship.destination]) }
        return members?.object(member)?.row.integerIfAny(slot) ?? .min
    }

    private func applyDelta(to keys: [Int64], _ relationship: Int, _ owner: CoreStoreObject) -> [Int64] {
        if state.pending.deltas.isEmpty, state.undo?.isEmpty != false { return keys }
        let side = PendingChanges.Side(relationship: relationship, owner: owner.id)
        let delta = state.pending.deltas.removeValue(forKey: side)
        state.deltas.forgetMadeLinks(side, delta, keys)
        guard let delta else { return keys }
        state.pending.bases[side] = keys
        if let order = delta.order {
            let merged = OrderedMerge(base: order.base, current: order.current.keys, stored: keys).keys
            return withoutRemovedLinks(merged, relationship, owner)
        }
        // A member that was removed and added again comes last, as in a loaded relationship.
        let added = Set(delta.added.keys)
        return keys.filter { !delta.removed.contains($0) && !added.contains($0) } + delta.added.keys
    }

    /// Leaves out members that other transactions added and whose links are removed here; no pending order has them.
    private func withoutRemovedLinks(_ keys: [Int64], _ relationship: Int, _ owner: CoreStoreObject) -> [Int64] {
        guard !state.pending.removedLinks.isEmpty, let store = state.identities.store(of: owner) else { return keys }
        let relationship = state.layout.relationships[relationship]
        return keys.filter { key in
            let link = state.deltas.link(relationship, owner.id, store.id(key, of: relationship.destination))
            return link.map { !state.pending.removedLinks.contains($0) } ?? true
        }
    }

    /// Returns the related objects of a to-one or to-many relationship.
    func relatedObjects(
        _ relationship: RelationshipLayout, of object: CoreStoreObject
    ) throws(StorageError) -> [CoreStoreObject] {
        if relationship.isToMany { return try toMany(relationship, of: object) }
        return try toOne(relationship, of: object).map { [$0] } ?? []
    }

    /// The ids of the related objects of a relationship.
    package func relatedIDs(_ relationship: Int, of object: CoreStoreObject) -> [ObjectID] {
        let (object, layout) = (object.canonical, state.layout.relationships[relationship])
        guard let store = state.identities.store(of: object) else { return [] }
        if case .reference(let slot, _) = layout.storage {
            return object.row.integerIfAny(slot).map { [store.id($0, of: layout.destination)] } ?? []
        }
        let keys = state.failures.loggingErrors("fetch") { () throws(StorageError) in
            try relatedKeys(layout, of: object)
        }
        return (keys ?? []).map { store.id($0, of: layout.destination) }
    }
}
