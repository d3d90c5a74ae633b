import CofferSchema
import CofferStorage

/// Finds objects whose only pending changes are added or removed members of to-many relationships.
struct ChangedMembers {
    let state: ContextState

    /// Returns the objects whose only changes are changed members of to-many relationships.
    ///
    /// Unknown objects are fetched. If this fails, the commit throws the error.
    func objectsWithChangedMembersOnly() -> [CoreStoreObject] {
        let ids = idsWithChangedMembersOnly()
        guard !ids.isEmpty else { return [] }
        return state.failures.loggingErrors("fetch") { () throws(StorageError) in try state.finder.objects(ids) } ?? []
    }

    /// Returns the ids of the objects whose only changes are changed members, without a fetch.
    func idsWithChangedMembersOnly() -> [ObjectID] {
        guard !state.pending.isEmpty, !state.isFinished else { return [] }
        return PendingRelations(state).changes(since: PendingRelations(state.layout)).keys.filter { id in
            let known = state.identities.object(id)
            return known?.state.isDisjoint(with: [.isInserted, .isUpdated, .isDeleted]) != false
        }
    }

    /// Whether the members or the order of a to-many relationship of an object differ from the saved ones.
    func hasChangedMembers(_ object: CoreStoreObject) -> Bool {
        guard !state.pending.isEmpty, let store = state.identities.store(of: object),
            state.layout.entities[object.row.entity].relationships.contains(where: {
                state.layout.relationships[$0].isToMany
            })
        else { return false }
        let changed = PendingRelations(state).changes(since: PendingRelations(state.layout))[object.id] ?? []
        return changed.contains { index in
            let relationship = state.layout.relationships[index]
            guard relationship.isToMany else { return false }
            // Members that were moved back may have other places, but the same order.
            guard relationship.isOrdered, let keys = object.attachment?.relatedKeys[index]?.keys,
                let saved = state.pending.bases[.init(relationship: index, owner: object.id)],
                let members = state.identities.table(store.keySpaces[relationship.destination])
            else { return true }
            return keys.filter { members.object($0)?.isDeleted != true } != saved
        }
    }
}
