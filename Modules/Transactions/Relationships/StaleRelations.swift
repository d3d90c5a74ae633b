import CofferSchema
import CofferStorage

/// Drops loaded relationships that commits of other transactions have changed, so that they are read again.
struct StaleRelations {
    let state: ContextState

    /// Discards loaded relationships after commits of others, so that a long-lived transaction reads them again.
    ///
    /// A fetch calls this method before it reads, because of its conditions. The fetch calls it again afterwards,
    /// because fetched objects may belong to relationships that were read earlier. The known members of these
    /// relationships are read again too, so that both sides of a relationship agree.
    func forgetStaleRelations(in stores: [OpenStore]) throws(StorageError) {
        guard state.isEditable, !state.keepsSnapshot else { return }
        var isStale = state.relations.areStale
        for store in stores {
            let (number, count) = (ObjectIdentifier(store), store.commitCount)
            if (state.relations.seenCommits[number] ?? state.readers.seenCommits[number] ?? count) != count {
                isStale = true
            }
            state.relations.seenCommits[number] = count
        }
        guard isStale, state.relations.areLoaded else { return }
        let members = loadedMembers()
        state.deltas.forgetRelatedKeys()
        state.relations.areStale = false
        for (id, row) in try state.storedRows(members, "fetch") {
            guard let object = state.identities.object(id), object.held.version != row.version else { continue }
            refreshMember(object, row)
        }
    }

    /// Makes the parent transactions read their relationships again at the next access.
    func refreshParentRelations() throws(StorageError) {
        guard let parent = state.parent else { return }
        try parent.staleRelations.refreshParentRelations()
        parent.relations.areStale = true
        try parent.staleRelations.forgetStaleRelations(in: parent.stores)
    }

    /// Returns the known members of loaded relationships, if their rows contain the reference.
    private func loadedMembers() -> Set<ObjectID> {
        var members: Set<ObjectID> = []
        state.identities.forEachLoadedOwner { owner, attachment in
            guard let store = state.identities.store(of: owner) else { return }
            for (index, keys) in attachment.relatedKeys {
                guard case .inverse = state.layout.relationships[index].storage else { continue }
                let destination = state.layout.relationships[index].destination
                let ids = keys.keys.lazy.map { store.id($0, of: destination) }
                members.formUnion(ids.filter { state.identities.object($0) != nil })
            }
        }
        return members
    }

    private func refreshMember(_ object: CoreStoreObject, _ row: Row) {
        guard object.state.contains(.isUpdated) else { return state.merger.refresh(object, row) }
        // If this is a conflict, the store must receive the base of the change.
        guard !state.throwsOnConflict, state.readers.readSet == nil, !object.isDeleted else { return }
        state.merger.merge(row, into: object)
    }

    /// Marks relationships as stale if a fetched row refers to an owner and is not one of its known members.
    ///
    /// Another stack or process has related such a row to the owner.
    func noteUnknownMembers(_ rows: some Sequence<Row>, _ store: OpenStore) {
        guard state.isEditable, !state.keepsSnapshot, state.relations.areLoaded, !state.relations.areStale else {
            return
        }
        for row in rows {
            for reference in state.layout.entities[row.entity].references {
                guard let key = row.integerIfAny(reference.slot) else { continue }
                let entity = state.layout.relationships[reference.inverse].owner
                let owner = state.identities.object(store.id(key, of: entity))
                guard owner?.attachment?.relatedKeys[reference.inverse]?.contains(row.key) ?? true else {
                    return state.relations.areStale = true
                }
            }
        }
    }
}
