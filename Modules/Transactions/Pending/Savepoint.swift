import CofferSchema
import CofferStorage

/// A savepoint: all pending changes of a transaction at one moment, as a value.
struct Savepoint {
    /// One object with changes.
    struct Entry {
        var object: CoreStoreObject
        var row: Row
        var base: Row?
        var changed: ColumnSet
        var state: ObjectState
        /// The cached values of virtual fields, for a failed commit; `undo()` and `redo()` discard these values.
        var virtualValues: [Int: Any]?
        /// The virtual fields in ``virtualValues`` that the program has set.
        var assignedVirtualFields: Set<Int> = []
    }

    var pending: PendingChanges
    var entries: [Entry]
    var orders: [PendingOrder]
    var failure: KeptFailure?
    /// Whether something had changed since the last flush.
    var hasUnrecordedChanges = false
}

/// The first failure of a call that could not throw, which the end of the transaction or read throws.
///
/// The failure may have left a change incomplete.
struct KeptFailure {
    let error: StorageError
    /// Whether a change is incomplete, so that only a rollback can repair it.
    var isPartial = false
    /// Whether a commit has thrown the failure.
    var isReported = false
}
