import CofferStorage

/// The protocol of observers, with the four phases of a commit: prepare, announce, accept, deliver.
///
/// All observers prepare before the first observer announces the commit. All observers accept the new state before
/// the first observer delivers it. A callback of an observer therefore sees only up-to-date values.
protocol CommitObserver: AnyObject {
    /// Observes another object from now on, because the observed object was merged into it when it was saved.
    func follow(_ id: ObjectID)
    /// Computes the effect of a commit on this observer.
    ///
    /// - Returns: whether the commit has an effect.
    func prepare(_ commit: CommitDigest) -> Bool
    /// Tells observers that the state will change.
    func announce(_ commit: CommitDigest)
    /// Shows the new state.
    func accept(_ commit: CommitDigest)
    /// Tells observers that the state has changed.
    func deliver(_ commit: CommitDigest)
    /// Responds to added or removed storages.
    func storagesDidChange()
}

extension CommitObserver {
    func follow(_ id: ObjectID) {}
    func announce(_ commit: CommitDigest) {}
    func storagesDidChange() {}
}
