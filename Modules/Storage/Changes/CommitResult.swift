/// The result of a commit: the merged rows, and the stored rows that differ from the change set.
public struct CommitResult: Sendable {
    /// An inserted row that was merged into another row, because both have the same unique values.
    public struct Merge: Hashable, Sendable {
        /// The index of the root entity.
        public var root: Int
        /// The key of the inserted row in the change set; no row has this key after the commit.
        public var from: Int64
        /// The key of the row into which the inserted row was merged.
        public var into: Int64
        /// Whether that row kept its values (``UniqueConstraintPolicy/keepStored``) instead of the inserted values.
        public var isKept: Bool

        /// Creates the record of a merge.
        public init(root: Int, from: Int64, into: Int64, isKept: Bool = false) {
            self.root = root
            self.from = from
            self.into = into
            self.isKept = isKept
        }
    }

    /// The inserted rows that were merged into other rows.
    public var merges: [Merge] = []
    /// The stored rows that differ from the change set.
    ///
    /// A row differs if it was merged with another row, or if another transaction changed other columns of it.
    ///
    /// A row into which another row was merged is always part of the list, even if it did not change.
    ///
    /// A row that is not in the list has the values of the change set. Its version is 1 if it was inserted. If it was
    /// updated, its version is the version of the base plus 1 (`commits/nothing-to-report`).
    public var refreshed: [Row] = []

    /// Creates a result without additional effects.
    public init() {}
}
