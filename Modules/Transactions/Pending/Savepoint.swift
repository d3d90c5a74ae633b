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
