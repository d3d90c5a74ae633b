import CofferSchema
import CofferStorage

/// Reads relationships again after a refresh or a deletion, and finds relationships whose related objects have changed.
struct TouchedRelationFinder {
    let state: ContextState

    typealias LoadedRelation = (owner: CoreStoreObject, relationship: Int, keys: [Int64])

    /// Returns the loaded to-many relationships.
    func loadedRelations() -> [LoadedRelation] {
        var loaded: [LoadedRelation] = []
        state.identities.forEachLoadedOwner { owner, attachment in
            for (index, keys) in attachment.relatedKeys { loaded.append((owner, index, keys.keys)) }
        }
        return loaded
    }

    /// Reads loaded relationships again, and returns the relationships with other related objects than before.
    ///
    /// After a failed read, all further relationships count as changed.
    func changes(since loaded: [LoadedRelation]) -> TouchedRelations {
        var changed = TouchedRelations()
        var hasFailed = false
        let relations = Dictionary(grouping: loaded, by: \.relationship)
        // The last batch of an object is the largest one.
        for (index, loaded) in relations.sorted(by: { $0.value.count < $1.value.count }) {
            let relationship = state.layout.relationships[index]
            state.identities.batch(loaded.map(\.owner))
            for (owner, _, keys) in loaded where !owner.isDeleted {
                do throws(StorageError) {
                    let now = hasFailed ? [] : try state.loader.relatedKeys(relationship, of: owner)
                    let isSame = now == keys || (!relationship.isOrdered && Set(now) == Set(keys))
                    if hasFailed || !isSame { changed.insert(index, of: owner.id) }
                } catch {
                    hasFailed = true
                    changed.insert(index, of: owner.id)
                    Diagnostics.log(
                        CoreStoreError(storage: error),
                        "Relationships could not be read again. Observers are notified of all loaded relationships.")
                }
            }
        }
        return changed
    }

    /// Loads the relationships with a pending order.
    func loadPendingOrders() throws(StorageError) {
        let unloaded = state.pending.reordered.filter { side, owner in
            !owner.isDeleted && owner.attachment?.relatedKeys[side.relationship] == nil
        }
        for (index, sides) in Dictionary(grouping: unloaded, by: \.key.relationship) {
            state.identities.batch(sides.map(\.value))
            for (_, owner) in sides { _ = try state.loader.relatedKeys(state.layout.relationships[index], of: owner) }
        }
    }

    /// Returns the relationships that reference some objects, by their owners.
    ///
    /// For a deleted object, the stored relationships count.
    ///
    /// - Parameter earlier: the pending relationships at the last comparison. An object that was related to a deleted
    ///   object only after that comparison is left out.
    func relationships(
        to objects: [CoreStoreObject], since earlier: PendingRelations
    ) throws(StorageError) -> TouchedRelations {
        var others = TouchedRelations()
        for (number, owners) in Dictionary(grouping: objects, by: \.id.storage) {
            guard let store = state.identities.space(number)?.store else { continue }
            var unread: [Int: [Int64]] = [:]
            var partnered: [Int: [Int64]] = [:]
            func note(_ keys: [Int64], _ relationship: RelationshipLayout) {
                for key in keys { others.insert(relationship.inverse, of: store.id(key, of: relationship.destination)) }
            }
            for owner in owners {
                for index in state.layout.entities[owner.row.entity].relationships {
                    let relationship = state.layout.relationships[index]
                    if case .reference(let slot, _) = relationship.storage {
                        let row = owner.isDeleted ? owner.base ?? owner.row : owner.row
                        if let key = row.integerIfAny(slot) { note([key], relationship) }
                        // The related object of a one-to-one relationship has its own reference.
                        if !state.layout.relationships[relationship.inverse].isToMany,
                            !owner.state.contains(.isInserted)
                        {
                            partnered[index, default: []].append(owner.id.key)
                        }
                    } else {
                        let loaded = owner.attachment?.relatedKeys[index]
                        let delta = state.pending.deltas[.init(relationship: index, owner: owner.id)]
                        let keys = (loaded ?? delta?.added)?.keys ?? []
                        note(withoutPassing(keys, relationship, owner, store, earlier), relationship)
                        if loaded == nil, !owner.state.contains(.isInserted) {
                            unread[index, default: []].append(owner.id.key)
                        }
                    }
                }
            }
            for (index, keys) in unread {
                let members = try state.readers.members(index, of: keys.sorted(), store, "fetch")
                for related in members { note(related.members.map(\.key), state.layout.relationships[index]) }
            }
            for (index, keys) in partnered {
                let relationship = state.layout.relationships[index]
                for related in try state.storedRelations.storedMembers(relationship, of: keys.sorted(), store) {
                    note(related.rows.map(\.key), relationship)
                }
            }
        }
        return others
    }

    /// Leaves out members that referred to a deleted object neither at the last comparison nor in the store.
    private func withoutPassing(
        _ keys: [Int64], _ relationship: RelationshipLayout, _ owner: CoreStoreObject, _ store: OpenStore,
        _ earlier: PendingRelations
    ) -> [Int64] {
        guard owner.isDeleted, case .inverse(let slot, _) = relationship.storage,
            let members = state.identities.table(store.keySpaces[relationship.destination])
        else { return keys }
        return keys.filter { key in
            guard let member = members.object(key), !member.state.isDisjoint(with: [.isInserted, .isUpdated]) else {
                return true
            }
            if member.base?.integerIfAny(slot) == owner.id.key { return true }
            return earlier.relates(member.id, to: owner.id, relationship.index)
        }
    }
}
