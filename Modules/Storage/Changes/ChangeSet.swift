/// The change set of one transaction for one store: inserts, updates, deletes, links and conditions.
///
/// A store saves all of these changes or none.
public struct ChangeSet: Sendable {
    /// A new row; the store writes all of its values, including nulls.
    ///
    /// The key of the row was reserved by the store.
    ///
    /// `commits/insert`, `values/defaults-are-not-applied`
    public struct Insert: Sendable {
        /// The whole row.
        public var row: Row
        /// A new row.
        public init(row: Row) { self.row = row }
    }

    /// The changed columns of a row.
    ///
    /// Other columns keep their values, even if another transaction has written them.
    ///
    /// `commits/update`, `commits/versions`, `commits/other-columns`, `commits/same-column`
    public struct Update: Sendable {
        /// The whole row in the transaction; its ``Row/version`` is the version that the transaction has read.
        public var row: Row
        /// The slots to write.
        public var columns: ColumnSet
        /// Creates a change of some columns of a row.
        public init(row: Row, columns: ColumnSet) {
            self.row = row
            self.columns = columns
        }
    }

    /// A row to delete.
    ///
    /// If the row was already deleted, this is not a conflict.
    ///
    /// `commits/delete`, `commits/delete-again`
    public struct Delete: Sendable {
        /// The index of the row's entity.
        public var entity: Int
        /// The key of the row.
        public var key: Int64
        /// Creates a deletion of a row by its key.
        public init(entity: Int, key: Int64) {
            self.entity = entity
            self.key = key
        }
    }

    /// A link of a many-to-many relationship.
    ///
    /// If a relationship is its own inverse, both sides of the table are the same. A change set then contains each link
    /// in both directions (`relationships/self-inverse`).
    public struct Link: Hashable, Sendable {
        /// The index in ``ModelLayout/linkTables``.
        public var table: Int
        /// The key of the object on the first side.
        public var first: Int64
        /// The key of the object on the second side.
        public var second: Int64
        /// The place of `second` in the list of `first`, if this list is ordered.
        ///
        /// Objects are ordered by their places, and ties are broken by key. Places need not be dense: an object between
        /// two others has a place between their places (`relationships/equal-places`).
        public var firstPosition: Int64?
        /// The place of `first` in the list of `second`, if this list is ordered.
        public var secondPosition: Int64?

        /// Creates a link between two objects.
        public init(
            table: Int, first: Int64, second: Int64, firstPosition: Int64? = nil, secondPosition: Int64? = nil
        ) {
            self.table = table
            self.first = first
            self.second = second
            self.firstPosition = firstPosition
            self.secondPosition = secondPosition
        }
    }

    /// The new rows.
    public var inserts: [Insert] = []
    /// The changed rows.
    public var updates: [Update] = []
    /// The deleted rows.
    ///
    /// With a row, a store also deletes the links of the row, and nothing else, because the core applies the delete
    /// rules. A store deletes rows before it inserts others, so that their unique values are free.
    ///
    /// `relationships/delete-removes-links`, `relationships/delete-removes-nothing-else`, `merging/delete-frees`
    public var deletes: [Delete] = []
    /// The links to remove; their places do not matter.
    ///
    /// A store removes these links before it adds ``links``.
    ///
    /// `relationships/unlink`, `relationships/unlink-before-link`
    public var unlinks: [Link] = []
    /// The links to add.
    ///
    /// If a link exists, the store sets its places. If a place is nil, the link keeps its place.
    ///
    /// `relationships/relink-moves`, `relationships/relink-is-one-link`
    public var links: [Link] = []
    /// The links that get other places.
    ///
    /// A store moves these links after it has added ``links``. If a link does not exist, because another transaction
    /// has removed it, the store ignores it. If a place is nil, the link keeps its place. If an implementation has a
    /// special case for one inserted row, the special case must move links, too.
    ///
    /// `relationships/move`, `relationships/move-keeps-removed`, `relationships/with-one-insert`
    public var moves: [Link] = []
    /// The policies for inserts with the unique values of another row, by the index of the root entity.
    ///
    /// Each root entity has a policy for each of its constraints, in their order.
    ///
    /// A constraint without a policy has ``UniqueConstraintPolicy/merge``.
    ///
    /// `policies/throw`, `policies/keep`, `policies/per-constraint`
    public var uniqueConstraintPolicies: [Int: [UniqueConstraintPolicy]] = [:]
    /// The reads that must still have the same results; otherwise the store saves none of the changes.
    ///
    /// `conditions/atomic`, `conditions/in-parallel`
    public var conditions: [Condition] = []

    /// Creates a change set without changes.
    public init() {}

    /// Whether the change set adds, removes or moves links.
    public var hasLinks: Bool { !links.isEmpty || !unlinks.isEmpty || !moves.isEmpty }

    /// Whether the change set has no changes; conditions do not count.
    public var isEmpty: Bool { inserts.isEmpty && updates.isEmpty && deletes.isEmpty && !hasLinks }
}
