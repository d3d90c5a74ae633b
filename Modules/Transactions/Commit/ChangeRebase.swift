import CofferSchema
import CofferStorage

/// Adapts pending changes to the commits of other transactions: merges rows, checks cascades and applies delete rules.
struct ChangeRebase {
    let state: ContextState

    /// Applies the pending changes and the delete rules to the rows that the stores have now.
    ///
    /// The caller holds the commit lock.
    ///
    /// - Returns: the savepoint before the call, which a failed commit restores; nil if nothing changed, or if the
    ///   transaction ends with its commit.
    func rebase() throws(StorageError) -> Savepoint? {
        let rules = state.deleteRules
        let overtaken =
            state.commits.mustRebase || mayBreakRules ? state.stores : state.stores.filter(state.readers.hasNewCommits)
        // A transaction with one snapshot is not notified of the commits of other processes.
        let unknown =
            state.keepsSnapshot
            ? state.stores.filter { store in !overtaken.contains { $0 === store } && rules.mustCheckRules(in: store) }
            : []
        guard !(overtaken.isEmpty && unknown.isEmpty) else { return nil }
        // A transaction that ends with its commit needs no savepoint.
        let before = state.keepsSnapshot ? nil : state.savepoints.moment()
        state.readers.release()
        // Delete rules apply to the members that are stored now, not to the members that were loaded before.
        state.deltas.forgetRelatedKeys()
        do throws(StorageError) {
            for store in overtaken + unknown {
                try renewBases(store, nullifiedOnly: unknown.contains { $0 === store })
                try state.cascadeCheck.checkCascades(store)
                rules.forgetStoredDeniedDeletions(store)
                try rules.followRules(store)
                try rules.unlinkDeleted(store)
                try rules.unrelatePartners(store)
            }
        } catch {
            state.savepoints.goBack(to: before)
            throw error
        }
        return before
    }

    /// Whether delete rules or counts may have been checked with outdated members.
    ///
    /// A long-lived transaction does not see the commits of other stacks and processes.
    private var mayBreakRules: Bool {
        !state.keepsSnapshot
            && (!state.pending.deleted.isEmpty || !state.pending.counted.isEmpty || state.pending.changesPartners)
    }

    /// Applies pending changes to the rows that are stored now, and skips deletions that another transaction has saved.
    ///
    /// The record of a commit is the difference between the base and the saved row. It must not include changes that
    /// other transactions saved.
    ///
    /// - Parameter nullifiedOnly: whether only two kinds of objects are read again: objects whose references were set
    ///   to nil because of a change of another object, and objects with changed one-to-one relationships.
    func renewBases(_ store: OpenStore, nullifiedOnly: Bool) throws(StorageError) {
        var objects: [CoreStoreObject]
        if nullifiedOnly {
            let owners = Set(state.pending.nullified.map(\.owner))
            objects = state.pending.updated.filter { object in
                owners.contains(object.id) || (state.pending.changesPartners && changesPartner(object))
            }
        } else {
            objects = state.pending.updated + state.pending.deleted
        }
        objects.removeAll { state.identities.store(of: $0) !== store }
        var gone: Set<ObjectID> = []
        var released: Set<ObjectID> = []
        let rows = try state.storedRows(Set(objects.map(\.id)), "save")
        for object in objects {
            if let row = rows[object.id] {
                renewBase(of: object, row)
            } else if object.isDeleted {
                gone.insert(object.id)
            } else if state.merger.hasOnlyNullifiedColumns(object) {
                released.insert(object.id)
                gone.insert(object.id)
            }
        }
        guard !gone.isEmpty else { return }
        for object in state.pending.updated where released.contains(object.id) {
            if let base = object.base { object.forgetChanges(restoring: base) }
            object.state.insert(.isDeleted)
        }
        state.pending.updated.removeAll { released.contains($0.id) }
        // Other transactions have deleted these objects too, and observers were notified then.
        state.pending.deleted.removeAll { gone.contains($0.id) }
        state.pendingIndex = PendingIndex()
        for link in state.pending.removedLinks where gone.contains(link.first) || gone.contains(link.second) {
            state.pending.removedLinks.remove(link)
        }
        for id in gone { state.identities.remove(id) }
    }

    private func changesPartner(_ object: CoreStoreObject) -> Bool {
        state.layout.entities[object.row.entity].partnerSlots.contains { object.changed.contains($0) }
    }

    private func renewBase(of object: CoreStoreObject, _ row: Row) {
        let base = object.base ?? object.row
        guard base.version < row.version else { return }
        let columns = object.isDeleted ? ColumnSet() : state.merger.savedColumns(of: object, base)
        guard state.merger.mayRenew(object, columns) else { return }
        guard !object.isDeleted else { return object.base = row }
        state.merger.noteRelations(base, row)
        // A column that was set to its stored value is not saved.
        object.changed = columns
        state.merger.merge(row, into: object)
    }
}
