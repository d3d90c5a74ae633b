import CofferSchema
import CofferStorage

/// Applies the delete rules of deleted objects, at a commit, to related objects that other transactions have added.
struct DeleteRules {
    let state: ContextState

    /// Whether delete rules must be checked again, because another stack or process may have changed related rows.
    ///
    /// This applies to deleted objects of a store, and to changed one-to-one relationships.
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

    /// Removes links that other transactions have added to deleted objects, so that observers are notified of them.
    func unlinkDeleted(_ store: OpenStore) throws(StorageError) {
        let deleted = state.pending.deleted.filter { state.identities.store(of: $0) === store }
        for (index, owners) in owners(deleted) {
            let relationship = state.layout.relationships[index]
            // A link of a relationship with the rule deny stays, so that the commit is refused.
            guard relationship.deleteRule != .deny, case .links = relationship.storage else { continue }
            for related in try state.readers.members(index, of: owners.keys.sorted(), store, "save") {
                guard let owner = owners[related.owner] else { continue }
                let members = related.members.map { store.id($0.key, of: relationship.destination) }
                let links = members.compactMap { state.deltas.link(relationship, owner.id, $0) }
                state.pending.removedLinks.formUnion(links)
            }
        }
    }

    /// Clears references of former related objects to objects whose one-to-one relationships are changed here.
    ///
    /// Other transactions may have set these references.
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

    /// Returns the stored related objects that are not related here any more, with the keys of the changed objects.
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

    /// Returns objects by key, for each of their relationships.
    private func owners(_ objects: [CoreStoreObject]) -> [(key: Int, value: [Int64: CoreStoreObject])] {
        var owners: [Int: [Int64: CoreStoreObject]] = [:]
        for object in objects {
            for index in state.layout.entities[object.row.entity].relationships {
                owners[index, default: [:]][object.id.key] = object
            }
        }
        return owners.sorted { $0.key < $1.key }
    }

    /// Removes stored members from the denied deletions, because the store is searched for them again.
    ///
    /// Only objects that pending changes relate to deleted objects remain.
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

    /// Whether a pending change, and not the store, relates an object to a deleted object.
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

    /// Applies the delete rules to objects that other transactions have related to the deleted objects.
    ///
    /// If such an object has its own changes, the store refuses the conflict. A rule can revert these changes, if it
    /// deletes the objects that they reference. Then, the object is no conflict, and the rules are applied again.
    func followRules(_ store: OpenStore) throws(StorageError) {
        var conflicting: [(row: Row, object: CoreStoreObject)]
        repeat {
            conflicting = []
            try followRules(store, &conflicting)
        } while conflicting.contains {
            state.merger.isNewer($0.row, than: $0.object) && !state.merger.isConflict(of: $0.object)
        }
    }

    /// Applies the delete rules, also to the objects that a rule deletes.
    private func followRules(
        _ store: OpenStore, _ conflicting: inout [(row: Row, object: CoreStoreObject)]
    ) throws(StorageError) {
        var done = 0
        while done < state.pending.deleted.count {
            let deleted = state.pending.deleted[done...].filter { state.identities.store(of: $0) === store }
            done = state.pending.deleted.count
            for (index, owners) in owners(deleted) {
                let relationship = state.layout.relationships[index]
                // For these relationships, ``unlinkDeleted(_:)`` removes the links by their keys.
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
            // An object that is also changed here still has the reference with which it was read.
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
        // All reads come before the first write, so that a commit that fails here can be repeated.
        let related = relationship.deleteRule == .cascade ? try state.deleter.loadForDeleting(members) : []
        for member in members { unrelate(member, from: owner, relationship) }
        if relationship.deleteRule == .cascade { try state.deleter.delete(members) }
        withExtendedLifetime(related) {}
    }

    private func unrelate(_ member: CoreStoreObject, from owner: CoreStoreObject, _ relationship: RelationshipLayout) {
        if let link = state.deltas.link(relationship, owner.id, member.id) { state.pending.removedLinks.insert(link) }
        for slot in slots(of: relationship) { state.editor.write(nil, slot, of: member) }
    }

    /// Returns the slots of a member's reference and of its place.
    private func slots(of relationship: RelationshipLayout) -> [Int] {
        let inverse = state.layout.relationships[relationship.inverse]
        guard case .reference = inverse.storage else { return [] }
        return inverse.referenceSlots
    }
}
