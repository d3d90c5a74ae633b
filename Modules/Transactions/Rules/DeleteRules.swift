import CofferSchema
import CofferStorage

/// Applies the delete rules of deleted objects, at a commit, to related objects that other transactions have added.
struct DeleteRules {
    let state: ContextState

    /// Whether objects of a store were deleted, or given other partners, whose related rows another stack or process may
    /// have changed since.
    func mustCheckRules(in store: OpenStore) -> Bool {
        if state.pending.changesPartners { return true }
        guard !state.pending.deleted.isEmpty else { return false }
        let entities = Set(
            state.pending.deleted.lazy.filter { state.identities.store(of: $0) === store }.map(\.row.entity))
        return entities.contains { entity in
            state.layout.entities[entity].relationships.contains { index in
                let relationship = state.layout.relationships[index]
                return relationship.deleteRule != .nullify || !slots(of: relationship).isEmpty
            }
        }
    }

    /// Removes the links that others have given to objects that are deleted here, so that observers are told of them.
    func unlinkDeleted(_ store: OpenStore) throws(StorageError) {
        let deleted = state.pending.deleted.filter { state.identities.store(of: $0) === store }
        for (index, owners) in owners(deleted) {
            let relationship = state.layout.relationships[index]
            // A link that forbids the deletion stays: the commit is refused for it.
            guard relationship.deleteRule != .deny, case .links = relationship.storage else { continue }
            for related in try state.readers.members(index, of: owners.keys.sorted(), store, "save") {
                guard let owner = owners[related.owner] else { continue }
                let members = related.members.map { store.id($0.key, of: relationship.destination) }
                let links = members.compactMap { state.deltas.link(relationship, owner.id, $0) }
                state.pending.removedLinks.formUnion(links)
            }
        }
    }

    /// Ends the one-to-one relationships that other transactions have given to objects whose partner is changed here.
    func unrelatePartners(_ store: OpenStore) throws(StorageError) {
        for relationship in state.layout.relationships {
            guard case .reference(let slot, _) = relationship.storage,
                case .reference(let inverseSlot, _) = state.layout.relationships[relationship.inverse].storage
            else { continue }
            let former = formerPartners(relationship, slot, store)
            guard !former.isEmpty else { continue }
            let root = state.layout.entities[relationship.destination].root
            let rows = try state.readers.rows(former.keys.sorted(), root: root, store, "save")
            for row in rows {
                guard let known = state.identities.object(of: row, in: store) else { continue }
                state.merger.mergeUnlessConflict(row, into: known)
            }
            for partner in state.factory.objects(rows, relationship.destination, store) where !partner.isDeleted {
                guard let key = partner.row.integerIfAny(inverseSlot), former[partner.id.key]?.contains(key) == true
                else { continue }
                state.editor.write(nil, inverseSlot, of: partner)
            }
        }
    }

    /// The partners of changed objects in the store that are not their partners here, with these objects.
    private func formerPartners(
        _ relationship: RelationshipLayout, _ slot: Int, _ store: OpenStore
    ) -> [Int64: Set<Int64>] {
        var former: [Int64: Set<Int64>] = [:]
        for object in state.pending.updated where state.identities.store(of: object) === store {
            guard state.layout.entity(object.row.entity, isKindOf: relationship.owner), !object.isDeleted else {
                continue
            }
            guard let key = (object.base ?? object.row).integerIfAny(slot), object.row.integerIfAny(slot) != key
            else { continue }
            former[key, default: []].insert(object.id.key)
        }
        return former
    }

    /// Some objects by key, for each of their relationships.
    private func owners(_ objects: [CoreStoreObject]) -> [(key: Int, value: [Int64: CoreStoreObject])] {
        var owners: [Int: [Int64: CoreStoreObject]] = [:]
        for object in objects {
            for index in state.layout.entities[object.row.entity].relationships {
                owners[index, default: [:]][object.id.key] = object
            }
        }
        return owners.sorted { $0.key < $1.key }
    }

    /// Leaves of the deniedDeletions what pending changes relate to deleted objects: the stored members are looked for again.
    func forgetStoredDeniedDeletions(_ store: OpenStore) {
        for index in state.pending.deniedDeletions.indices
        where state.identities.store(of: state.pending.deniedDeletions[index].object) === store {
            let denied = state.pending.deniedDeletions[index]
            let relationship = state.layout.relationships[denied.relationship]
            state.pending.deniedDeletions[index].related.removeAll {
                !isRelatedByChange($0, to: denied.object, relationship)
            }
        }
        state.pending.deniedDeletions.removeAll(where: \.related.isEmpty)
    }

    /// Whether a pending change, rather than the store, relates an object to a deleted one.
    private func isRelatedByChange(
        _ member: CoreStoreObject, to owner: CoreStoreObject, _ relationship: RelationshipLayout
    ) -> Bool {
        if member.state.contains(.isInserted) { return true }
        if let link = state.deltas.link(relationship, owner.id, member.id) {
            return state.pending.addedLinks.contains(link)
        }
        if let slot = slots(of: relationship).first { return member.changed.contains(slot) }
        // The deleted object's own reference.
        guard case .reference(let slot, _) = relationship.storage else { return false }
        return !(owner.changed.contains(slot) ? owner.row : owner.base ?? owner.row).isNull(slot)
    }

    /// Follows the delete rules for what others have related to the deleted objects.
    ///
    /// An object with changes of its own is left to the store, which refuses the conflict. A rule can take these changes back,
    /// if it deletes the objects that they reference. Then the object is no conflict, and the rules are followed again.
    func followRules(_ store: OpenStore) throws(StorageError) {
        var conflicting: [(row: Row, object: CoreStoreObject)]
        repeat {
            conflicting = []
            try followRules(store, &conflicting)
        } while conflicting.contains {
            state.merger.isNewer($0.row, than: $0.object) && !state.merger.isConflict(of: $0.object)
        }
    }

    /// A rule may delete further objects, whose rules are followed too.
    private func followRules(
        _ store: OpenStore, _ conflicting: inout [(row: Row, object: CoreStoreObject)]
    ) throws(StorageError) {
        var done = 0
        while done < state.pending.deleted.count {
            let deleted = state.pending.deleted[done...].filter { state.identities.store(of: $0) === store }
            done = state.pending.deleted.count
            for (index, owners) in owners(deleted) {
                let relationship = state.layout.relationships[index]
                // Only links are removed, for which their keys are enough.
                if relationship.deleteRule == .nullify, case .links = relationship.storage { continue }
                try followRule(relationship, of: owners, store, &conflicting)
            }
        }
    }

    private func followRule(
        _ relationship: RelationshipLayout, of owners: [Int64: CoreStoreObject], _ store: OpenStore,
        _ conflicting: inout [(row: Row, object: CoreStoreObject)]
    ) throws(StorageError) {
        for related in try state.storedRelations.storedMembers(relationship, of: owners.keys.sorted(), store) {
            guard let owner = owners[related.owner] else { continue }
            // One that is also changed here still has the reference it was read with.
            for row in related.rows {
                guard let known = state.identities.object(of: row, in: store) else { continue }
                state.merger.mergeUnlessConflict(row, into: known)
                if state.merger.isNewer(row, than: known) { conflicting.append((row, known)) }
            }
            try follow(
                relationship, of: owner, toNew: state.factory.objects(related.rows, relationship.destination, store))
        }
    }

    private func follow(
        _ relationship: RelationshipLayout, of owner: CoreStoreObject, toNew members: [CoreStoreObject]
    ) throws(StorageError) {
        let members = members.filter { !$0.isDeleted && state.deltas.isRelated($0, to: owner, relationship) }
        guard !members.isEmpty else { return }
        if relationship.deleteRule == .deny {
            return state.pending.deniedDeletions.append(
                .init(object: owner, relationship: relationship.index, related: members))
        }
        // Read before anything is written: a commit that fails for it can be repeated.
        let related = relationship.deleteRule == .cascade ? try state.deleter.loadForDeleting(members) : []
        for member in members { unrelate(member, from: owner, relationship) }
        if relationship.deleteRule == .cascade { try state.deleter.delete(members) }
        withExtendedLifetime(related) {}
    }

    private func unrelate(_ member: CoreStoreObject, from owner: CoreStoreObject, _ relationship: RelationshipLayout) {
        if let link = state.deltas.link(relationship, owner.id, member.id) { state.pending.removedLinks.insert(link) }
        for slot in slots(of: relationship) { state.editor.write(nil, slot, of: member) }
    }

    /// The slots of a member's reference and of its place.
    private func slots(of relationship: RelationshipLayout) -> [Int] {
        let inverse = state.layout.relationships[relationship.inverse]
        guard case .reference = inverse.storage else { return [] }
        return inverse.referenceSlots
    }
}
