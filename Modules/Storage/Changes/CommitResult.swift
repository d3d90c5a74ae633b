/// What a commit did beyond what it was asked to.
public struct CommitResult: Sendable {
    /// An inserted row that met an existing one in a unique constraint, and for which that one stands now.
    public struct Merge: Hashable, Sendable {
        /// The index of the root entity.
        public var root: Int
        /// The key the change set gave, which exists nowhere now.
        public var from: Int64
        /// The key of the row that took its place.
        public var into: Int64
        /// Whether that row kept its values (``UniqueConstraintPolicy/keepStored``) and did not take those of the
        /// inserted one.
        public var isKept: Bool

        /// A row for which another one stands.
        public init(root: Int, from: Int64, into: Int64, isKept: Bool = false) {
            self.root = root
            self.from = from
            self.into = into
            self.isKept = isKept
        }
    }

    /// The inserted rows that met existing ones.
    public var merges: [Merge] = []
    /// The rows, as they are now, that differ from what the change set said: merged with an existing row, or with
    /// another writer's changes to other columns.
    ///
    /// Every row that stands for an inserted one is listed too, changed or not.
    ///
    /// Rows not listed are as the change set said, with version 1 when inserted, and one more than that of the base
    /// when updated (`commits/nothing-to-report`).
    public var refreshed: [Row] = []

    /// Nothing beyond what was asked.
    public init() {}
}
