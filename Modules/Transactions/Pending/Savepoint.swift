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
        /// Kept for a commit that fails: `undo()` and `redo()` discard these values.
        var virtualValues: [Int: Any]?
        /// The virtual fields among them that the program has set.
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
    /// Whether a change was made in part, which only a rollback puts right.
    var isPartial = false
    /// Whether a commit has thrown it.
    var isReported = false
}
