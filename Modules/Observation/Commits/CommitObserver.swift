import CofferStorage

/// The protocol of observers, with the four phases of a commit: prepare, announce, accept, deliver.
///
/// All observers of a commit get ready before one of them announces anything, and all show the new state before one of
/// them delivers it: whatever an observer looks at in a callback is up to date.
protocol CommitObserver: AnyObject {
    /// Observes another object from now on, into which the one that was observed was merged when it was saved.
    func follow(_ id: ObjectID)
    /// Works out what a commit means here.
    ///
    /// - Returns: whether it means anything.
    func prepare(_ commit: CommitDigest) -> Bool
    /// Tells observers that the state will change.
    func announce(_ commit: CommitDigest)
    /// Shows the new state.
    func accept(_ commit: CommitDigest)
    /// Tells observers that the state has changed.
    func deliver(_ commit: CommitDigest)
    /// Looks again after storages were added or removed.
    func storagesDidChange()
}

extension CommitObserver {
    func follow(_ id: ObjectID) {}
    func announce(_ commit: CommitDigest) {}
    func storagesDidChange() {}
}
