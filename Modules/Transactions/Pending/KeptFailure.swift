import CofferStorage

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
