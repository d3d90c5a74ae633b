import CofferSchema
import CofferStorage

/// Marks the objects of a commit as saved, and creates the record of the commit for observers.
struct CommitRecorder {
    let state: ContextState

    /// Returns the record of saved changes.
    ///
    /// Changed rows get the version that the store assigned.
    func record(_ changes: borrowing StoreChanges, _ result: CommitResult) -> CommitRecord.InStore {
        for object in changes.updated {
            guard let base = object.base else { continue }
            object.editRow {
                $0.write(version: base.version &+ 1)
                return true
            }
        }
        var record = CommitRecord.InStore(store: changes.store)
        record.merges = result.merges
        record.relationships = changes.relationships
        record.links = changes.set.unlinks + changes.set.links
        record.reordered = changes.reordered.map { ($0.relationship, $0.owner) }
        // A transaction may change an object before it deletes the object. The record has the row before these
        // changes.
        record.deleted = changes.deleted.map { $0.base ?? $0.row }
        guard !result.refreshed.isEmpty || !result.merges.isEmpty else {
            record.inserts = changes.set.inserts
            record.updated = changes.updated.map { ($0.base, $0.row) }
            return record
        }
        changes.store.record(result.merges)
        record.refreshed = result.refreshed
        if !record.links.isEmpty { record.links = record.links.map(Rebinding(record, state.layout).link) }
        addRows(of: changes, result, to: &record)
        return record
    }

    /// Adds the inserted and changed rows, as the store has them now.
    private func addRows(
        of changes: borrowing StoreChanges, _ result: CommitResult, to record: inout CommitRecord.InStore
    ) {
        let store = changes.store
        let merged = Set(result.merges.map { store.id($0.from, of: $0.root) })
        // The refreshed rows that are not yet in the record.
        var others: [ObjectID: Row] = [:]
        others.reserveCapacity(result.refreshed.count)
        for row in result.refreshed { others[store.id(row.key, of: row.entity)] = row }
        for insert in changes.set.inserts {
            let id = store.id(insert.row.key, of: insert.row.entity)
            guard !merged.contains(id) else { continue }
            record.inserts.append(.init(row: others.removeValue(forKey: id) ?? insert.row))
        }
        for object in changes.updated {
            record.updated.append((object.base, others.removeValue(forKey: object.id) ?? object.row))
        }
        if result.merges.contains(where: \.isKept) {
            var kept = Set(result.merges.filter(\.isKept).map { store.id($0.into, of: $0.root) })
            for merge in result.merges where !merge.isKept { kept.remove(store.id(merge.into, of: merge.root)) }
            for id in kept { others[id] = nil }
        }
        for row in others.values { record.updated.append((nil, row)) }
    }

    /// Makes the pending changes the committed state of the context.
    ///
    /// - Parameter stores: the stores that have saved their parts; nil for all stores.
    func didCommit(_ records: [CommitRecord.InStore], in stores: [OpenStore]? = nil) {
        state.pendingIndex = PendingIndex()
        let saved: PendingChanges
        if let stores {
            saved = state.pending.removing { id in stores.contains { $0.keySpaces.contains(id.storage) } }
        } else {
            saved = state.pending
            state.pending = PendingChanges()
            state.readers.readSet?.removeAll()
        }
        // A transaction that ends with its commit changes nothing more, so its objects do not need a new state.
        if state.keepsSnapshot, stores == nil {
            saved.seal()
            return finishCommit(records)
        }
        for object in saved.inserted where !object.isDeleted { object.state.markSaved() }
        for object in saved.updated where !object.isDeleted {
            object.base = nil
            object.changed = ColumnSet()
            object.state.markSaved()
        }
        for object in saved.deleted { state.identities.remove(object.id) }
        for object in saved.inserted where object.isDeleted { state.identities.remove(object.id) }
        if stores == nil {
            state.commits.mustRebase = false
            state.commits.reportedCascades = []
        }
        state.undo?.forget()
        state.undo?.hasUnrecordedChanges = !state.pending.isEmpty
        finishCommit(records)
    }

    private func finishCommit(_ records: [CommitRecord.InStore]) {
        for record in records { takeOver(record) }
        state.readers.release()
    }

    /// Replaces the rows of the context's objects by the rows that the store refreshed.
    private func takeOver(_ record: CommitRecord.InStore) {
        for row in record.refreshed {
            guard let object = state.identities.object(of: row, in: record.store) else { continue }
            // In a transaction that ends with its commit, saved objects may still have the state "updated".
            guard state.keepsSnapshot || object.state.isDisjoint(with: .isUpdated) else { continue }
            state.editor.replaceRow(of: object, with: row)
        }
        guard !record.merges.isEmpty else { return }
        Rebinder(state: state, rebinding: Rebinding(record, state.layout)).rebind()
    }
}
