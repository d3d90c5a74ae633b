import CofferSchema
import CofferStorage

/// Checks that objects deleted by a cascade are still related to their owner; throws `conflict` if they are not.
struct CascadeCheck {
    let state: ContextState

    /// Throws `conflict` if a cascade would delete an object that another transaction removed from the relationship.
    func checkCascades(_ store: OpenStore) throws(StorageError) {
        let stale = try staleCascades(state.pending.cascades, store, "save")
        guard let (id, cascade) = stale.first else { return }
        state.commits.reportedCascades.formUnion(stale.map(\.id))
        var error = conflict(id, cascade)
        error.store = store.storage.storeDescription
        throw error
    }

    /// Returns the error for a cascade that would delete an object that another transaction removed.
    func conflict(_ id: ObjectID, _ cascade: PendingChanges.Cascade) -> StorageError {
        let name = state.layout.relationships[cascade.relationship].name
        return StorageError(
            .conflict,
            "\(id) was deleted by a cascade from \(cascade.owner) through '\(name)', but another transaction has removed it "
                + "from '\(name)'. Perform the transaction again. To delete the object anyway, call "
                + "'refreshAndMergeAllObjects()' on an unsafe transaction and commit again.",
            operation: "save")
    }

    /// Keeps the deletions of objects that other transactions have moved, if a commit has reported them.
    ///
    /// The program has refreshed its objects since, so these deletions are intended.
    func confirmCascades(_ store: OpenStore) throws(StorageError) {
        var cascades = state.pending.cascades
        for moment in state.undo?.states ?? [] {
            cascades.merge(moment.pending.cascades) { known, _ in known }
        }
        let reported = state.commits.reportedCascades
        cascades = cascades.filter { reported.contains($0.key) }
        for (id, cascade) in try staleCascades(cascades, store, "refresh") {
            state.commits.reportedCascades.remove(id)
            state.undo?.forgetCascade(of: id)
            guard state.pending.cascades.removeValue(forKey: id) != nil else { continue }
            let name = state.layout.relationships[cascade.relationship].name
            Diagnostics.log(
                .warning,
                "\(id) stays deleted. A cascade from \(cascade.owner) deleted it in this transaction, and another "
                    + "transaction has removed it from '\(name)'.")
        }
    }

    /// Returns the cascades whose objects the store no longer relates to their owners.
    private func staleCascades(
        _ cascades: [ObjectID: PendingChanges.Cascade], _ store: OpenStore, _ operation: String
    ) throws(StorageError) -> [(id: ObjectID, cascade: PendingChanges.Cascade)] {
        let cascades = cascades.filter { store.keySpaces.contains($0.key.storage) }
        guard !cascades.isEmpty else { return [] }
        var stale: [(id: ObjectID, cascade: PendingChanges.Cascade)] = []
        for (index, members) in Dictionary(grouping: cascades, by: \.value.relationship).sorted(by: { $0.key < $1.key })
        {
            let owners = Set(members.map(\.value.owner.key)).sorted()
            let related = try state.storedRelations.storedKeys(
                state.layout.relationships[index], of: owners, store, operation)
            stale += members.filter { related[$0.value.owner.key]?.contains($0.key.key) != true }
                .map { (id: $0.key, cascade: $0.value) }
        }
        guard !stale.isEmpty else { return [] }
        // If another transaction has deleted the object too, there is no conflict.
        let gone = try state.storedRelations.missing(Set(stale.map(\.id)))
        return stale.filter { !gone.contains($0.id) }.sorted { $0.id.key < $1.id.key }
    }
}
