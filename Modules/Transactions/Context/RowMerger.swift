import CofferSchema
import CofferStorage

/// Merges a newer stored row into an object, property by property; decides whether this is a conflict.
struct RowMerger {
    let state: ContextState

    // MARK: Objects

    /// Updates an object to a row that another commit has saved.
    func refresh(_ object: CoreStoreObject, _ row: Row) {
        if object.isDeleted, mayReturn(object) { object.state.remove(.isDeleted) }
        guard object.state.isDisjoint(with: [.isUpdated, .isInserted, .isDeleted]) else { return }
        let isSameVersion = object.row.version == row.version
        if !isSameVersion { noteRelations(object.row, row) }
        object.row = row
        if isSameVersion { return }
        state.editor.forgetVirtualValues(of: object)
        if state.pending.isEmpty { object.attachment?.relatedKeys.removeAll() }
    }

    /// Merges a row that another transaction saved into an object; the object keeps its own changes.
    func merge(_ row: Row, into object: CoreStoreObject) {
        guard object.state.contains(.isUpdated), let base = object.base else {
            guard object.row.version < row.version else { return }
            return state.editor.replaceRow(of: object, with: row)
        }
        if base.version < row.version { putChanges(of: object, on: row) }
    }

    /// Makes a newer row the base of an object with pending changes.
    ///
    /// A property that was set to its stored value is no change.
    func putChanges(of object: CoreStoreObject, on row: Row) {
        state.editor.noteIndexed(object)
        if let base = object.base {
            let changed = savedColumns(of: object, base)
            object.changed = stillValid(changed, of: object, base, row, state.pending.nullified)
        }
        object.row = laid(object.row, object.changed, over: row)
        object.base = row
        object.state.insert(.isWritable)
        state.editor.forgetVirtualValues(of: object)
    }

    /// Returns the changed columns that remain valid on a newer row.
    ///
    /// If another transaction has changed a reference, two columns become invalid: the place in the order of the
    /// former target, and a nil that a delete rule has set.
    func stillValid(
        _ changed: ColumnSet, of object: CoreStoreObject, _ base: Row, _ row: Row,
        _ nullified: Set<PendingChanges.Field>
    ) -> ColumnSet {
        var columns = changed
        for (slot, place) in state.layout.toOneSlots(of: row) where !base.hasSameValue(slot, .reference, as: row) {
            if changed.contains(slot) {
                guard nullified.contains(.init(owner: object.id, slot: slot)) else { continue }
                columns.remove(slot)
            }
            if let place { columns.remove(place) }
        }
        return columns
    }

    /// Returns a row with the changed columns of an edited row.
    func laid(_ edited: Row, _ changed: ColumnSet, over row: Row) -> Row {
        let merged = RowBuilder(copying: row, room: edited.tailSize + 16)
        let kinds = state.layout.entities[edited.entity].kinds
        for slot in changed.slots { merged.copy(slot, kinds[slot], from: edited) }
        return merged.build()
    }

    /// Returns the changed columns whose values differ from the base of an object.
    ///
    /// A reference and the object's place among the members of the target are set together, and saved together.
    func savedColumns(of object: CoreStoreObject, _ base: Row) -> ColumnSet {
        savedColumns(object.changed, of: object.row, base)
    }

    /// Returns the changed columns of a row that differ from its base.
    func savedColumns(_ changed: ColumnSet, of row: Row, _ base: Row) -> ColumnSet {
        let entity = state.layout.entities[base.entity]
        var columns = ColumnSet()
        changed.forEachSlot { slot in
            if !row.hasSameValue(slot, entity.kinds[slot], as: base) { columns.insert(slot) }
        }
        for reference in entity.references where columns.contains(reference.slot) {
            if let place = reference.positionSlot, changed.contains(place) { columns.insert(place) }
        }
        return columns
    }

    /// Applies a newer stored row to a changed object, unless that is a conflict.
    func mergeUnlessConflict(_ row: Row, into object: CoreStoreObject) {
        if isNewer(row, than: object), !isConflict(of: object) { merge(row, into: object) }
    }

    /// Whether a stored row is newer than the base of a changed object.
    func isNewer(_ row: Row, than object: CoreStoreObject) -> Bool {
        guard object.state.contains(.isUpdated), !object.isDeleted, let base = object.base else { return false }
        return base.version < row.version
    }

    /// Whether a newer stored row is a conflict with the changes of an object.
    func isConflict(of object: CoreStoreObject) -> Bool {
        guard let base = object.base else { return false }
        return !mayRenew(object, savedColumns(of: object, base))
    }

    /// Whether an object may get a newer row as its base.
    ///
    /// In a transaction that detects conflicts, the store must receive the base of the changes. An object whose
    /// columns have not changed is no conflict.
    func mayRenew(_ object: CoreStoreObject, _ columns: ColumnSet) -> Bool {
        guard state.throwsOnConflict || state.readers.readSet != nil else { return true }
        return !object.isDeleted && columns.isEmpty
    }

    /// Whether only delete rules have changed an object.
    ///
    /// If another transaction has deleted such an object, no change is lost.
    func hasOnlyNullifiedColumns(_ object: CoreStoreObject) -> Bool {
        guard let base = object.base, !state.throwsOnConflict, state.readers.readSet == nil,
            !state.pending.failures.keys.contains(where: { $0.owner == object.id })
        else { return false }
        var columns = savedColumns(of: object, base)
        for (slot, place) in state.layout.toOneSlots(of: base)
        where state.pending.nullified.contains(.init(owner: object.id, slot: slot)) {
            columns.remove(slot)
            if let place { columns.remove(place) }
        }
        return columns.isEmpty
    }

    /// Marks relationships as stale if a new row of an object has other references.
    func noteRelations(_ old: Row, _ new: Row) {
        guard state.isEditable, state.relations.areLoaded, !state.relations.areStale else { return }
        state.relations.areStale = state.layout.entities[new.entity].references.contains { !old.hasSame($0, as: new) }
    }

    /// Whether an object has pending changes, or is deleted and cannot be restored by a parent transaction.
    func isPending(_ object: CoreStoreObject) -> Bool {
        if object.isDeleted { return !mayReturn(object) }
        return !object.state.isDisjoint(with: [.isInserted, .isUpdated])
    }

    /// Whether a deleted object was deleted in a parent transaction, which may restore it.
    func mayReturn(_ object: CoreStoreObject) -> Bool {
        state.readsPendingRows && object.isDeleted && object.state.isDisjoint(with: [.isInserted, .isUpdated])
            && !state.pending.isDeleted(object)
    }
}
