import CofferSchema
import CofferStorage

/// Checks that referenced objects are still stored; throws `conflict` for a reference to a deleted object.
struct TargetCheck {
    let state: ContextState

    /// Checks that the referenced objects still exist, and leaves out links to deleted objects.
    ///
    /// - Throws: `conflict` if a to-one relationship references a row that another transaction has deleted. With
    ///   `throwsOnConflict`, a link to such a row is also a conflict.
    func check(_ changes: inout StoreChanges) throws(StorageError) {
        let store = changes.store
        guard state.readers.hasNewCommits(store) || !state.keepsSnapshot || state.throwsOnConflict else { return }
        let references = newReferences(in: changes)
        var targets = Set(references.map(\.target))
        func ends(of link: ChangeSet.Link) -> [ObjectID] { store.ends(of: link).map(\.owner) }
        targets.formUnion(changes.set.links.lazy.flatMap(ends))
        guard !targets.isEmpty else { return }
        // A snapshot of the transaction contains rows that other transactions have deleted since.
        state.readers.release()
        let missing = try state.storedRelations.missing(targets)
        guard !missing.isEmpty else { return }
        if state.throwsOnConflict,
            let lost = changes.set.links.lazy.flatMap(ends).first(where: missing.contains)
        {
            throw StorageError(
                .conflict,
                "\(lost) was related to an object in this transaction, but another transaction has deleted it. Fetch "
                    + "again and repeat the transaction.", operation: "save", store: store.storage.storeDescription)
        }
        for link in changes.set.links
        where state.commits.onRebase != nil && !missing.isDisjoint(with: ends(of: link)) {
            state.commits.droppedLinks.add(link, store)
        }
        changes.set.links.removeAll { !missing.isDisjoint(with: ends(of: $0)) }
        guard let broken = references.first(where: { missing.contains($0.target) }) else { return }
        throw StorageError(
            .conflict,
            "'\(broken.relationship.name)' of \(broken.object.id) references \(broken.target), which another "
                + "transaction has deleted. Set the relationship again and repeat the transaction.",
            operation: "save", store: store.storage.storeDescription)
    }

    /// Returns the references that the changes add, of new and of changed objects.
    func newReferences(
        in changes: StoreChanges
    ) -> [(object: CoreStoreObject, relationship: RelationshipLayout, target: ObjectID)] {
        var references: [(object: CoreStoreObject, relationship: RelationshipLayout, target: ObjectID)] = []
        let inserted = state.pending.inserted.filter {
            !$0.isDeleted && state.identities.store(of: $0) === changes.store
        }
        for object in inserted + changes.updated {
            let changed = object.state.contains(.isInserted) ? nil : object.changed
            state.deltas.forEachReference(of: object, object.row, changed) { relationship, target in
                references.append((object, relationship, target))
            }
        }
        return references
    }
}
