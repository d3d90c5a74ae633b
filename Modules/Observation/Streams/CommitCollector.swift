/// Collects the commits that a loop over `commits()` has not read yet, in one `CommittedChanges`.
final class CommitCollector: CommitObserver {
    private let onChange: () -> Void
    private var changes = CommittedChanges()

    init(_ onChange: @escaping () -> Void) { self.onChange = onChange }

    /// The changes since the last call.
    func take() -> CommittedChanges {
        defer { changes = CommittedChanges() }
        return changes
    }

    func prepare(_ commit: CommitDigest) -> Bool { true }

    func accept(_ commit: CommitDigest) { changes.add(commit) }

    func deliver(_ commit: CommitDigest) { onChange() }
}
