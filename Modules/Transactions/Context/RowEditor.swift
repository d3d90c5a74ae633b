import CofferSchema
import CofferStorage

/// Makes the row of a changed object writable, and keeps the original row; records references that delete rules clear.
struct RowEditor {
    let state: ContextState

    /// Whether each write must be recorded, because the program may undo it.
    var watches: Bool { state.undo != nil }

    /// Makes an object writable, and records it as changed.
    func beginChange(_ object: CoreStoreObject) {
        noteIndexed(object)
        guard !object.state.contains(.isWritable) else { return }
        if !object.state.contains(.isInserted) {
            if object.base == nil { object.base = object.row }
            if !object.state.contains(.isUpdated) {
                object.state.insert(.isUpdated)
                state.pending.updated.append(object)
            }
        }
        object.state.insert(watches ? [.isWritable, .isShared, .isWatched] : [.isWritable, .isShared])
    }

    /// Writes an integer or reference slot, as the setter of a relationship does.
    func write(_ integer: Int64?, _ slot: Int, of object: CoreStoreObject) {
        beginChange(object)
        if !state.pending.nullified.isEmpty { state.pending.nullified.remove(.init(owner: object.id, slot: slot)) }
        object.editRow {
            if let integer { $0.write(integer: integer, slot) } else { $0.writeNull(slot) }
            return true
        }
        object.markChanged(slot)
    }

    /// Runs a closure that sets a reference to nil because of a change of its target, and records the reference.
    func nullifying(_ slot: Int, of member: CoreStoreObject, _ body: () -> Void) {
        let former = member.row.integerIfAny(slot)
        body()
        guard let former, member.row.isNull(slot), member.base?.integerIfAny(slot) == former else { return }
        state.pending.nullified.insert(.init(owner: member.id, slot: slot))
    }

    /// Notifies the pending index that the row of an object changes, if the index contains the object.
    func noteIndexed(_ object: CoreStoreObject) {
        if object.state.contains(.isIndexed) { state.pendingIndex.noteChange(of: object) }
    }

    /// Replaces the row of an object.
    func replaceRow(of object: CoreStoreObject, with row: Row) {
        object.row = row
        forgetVirtualValues(of: object)
    }

    /// Discards the cached values of an object's virtual fields, because its other fields have new values.
    ///
    /// The objects of a transaction keep the values that the program may have set.
    func forgetVirtualValues(of object: CoreStoreObject) {
        object.forgetVirtualValues(keepingSet: state.isEditable)
    }
}

extension CoreStoreObject {
    /// Discards the changes of the object, and restores a row.
    func forgetChanges(restoring row: Row) {
        self.row = row
        base = nil
        changed = ColumnSet()
        attachment?.virtualValues = nil
        state.subtract([.isWritable, .isUpdated, .isWatched])
    }
}
