import CofferSchema
import CofferStorage

/// Refuses changes of deleted objects and changes outside a transaction, with a message; records changes and failures.
struct ChangeGate {
    let state: ContextState

    /// Returns whether an object may be changed; otherwise reports the mistake.
    func mayChange(_ object: CoreStoreObject) -> Bool {
        guard state.isEditable, !state.isFinished else {
            Diagnostics.refuse(
                state.isFinished
                    ? "'\(type(of: object))' cannot be changed, because its transaction is finished."
                    : "'\(type(of: object))' cannot be changed outside a transaction. Get it by 'transaction.edit(_:)'."
            )
            return false
        }
        #if DEBUG
            Diagnostics.assert(
                state.isAccessAllowed(), "'\(type(of: object))' was changed outside its transaction's queue.")
        #endif
        if object.isDeleted {
            state.failures.keepingErrors("\(object.id) could not be read. Its change is dropped.") {
                () throws(StorageError) in try state.finder.restoreReturned(CollectionOfOne(object))
            }
        }
        guard !object.isDeleted else {
            Diagnostics.log(.warning, "\(object.id) was changed after it was deleted. The change is dropped.")
            return false
        }
        return true
    }

    /// Records that a property was written.
    func didChange(_ object: CoreStoreObject) {
        // An observer may have fetched between the check and the write.
        state.editor.noteIndexed(object)
        state.undo?.hasUnrecordedChanges = true
    }

    /// Records that the value of a property could not be encoded; removes the record if the error is nil.
    func didFail(_ object: CoreStoreObject, slot: Int, _ error: StorageError?) {
        if error == nil, state.pending.failures.isEmpty { return }
        state.pending.failures[.init(owner: object.id, slot: slot)] = error.map { .init(object: object, error: $0) }
    }
}
