/// All changes of one transaction to one store.
///
/// A store makes all of them or none.
public struct ChangeSet: Sendable {
    /// A new row, written as it is, nulls included.
    ///
    /// Its key was reserved from the store.
    ///
    /// `commits/insert`, `values/defaults-are-not-applied`
    public struct Insert: Sendable {
        /// The whole row.
        public var row: Row
        /// A new row.
        public init(row: Row) { self.row = row }
    }

    /// Changed columns of a row.
    ///
    /// Other columns keep what they hold, whoever wrote it.
    ///
    /// `commits/update`, `commits/versions`, `commits/other-columns`, `commits/same-column`
    public struct Update: Sendable {
        /// The whole row as the transaction sees it; ``Row/version`` is that of the row it is based on.
        public var row: Row
        /// The slots to write.
        public var columns: ColumnSet
        /// Some columns of a row.
        public init(row: Row, columns: ColumnSet) {
            self.row = row
            self.columns = columns
        }
    }

    /// A row to delete.
    ///
    /// That it is gone already is not a conflict.
    ///
    /// `commits/delete`, `commits/delete-again`
    public struct Delete: Sendable {
        /// The index of the row's entity.
        public var entity: Int
        /// The row's primary key.
        public var key: Int64
        /// A row by its key.
        public init(entity: Int, key: Int64) {
            self.entity = entity
            self.key = key
        }
    }

    /// A link of a many-to-many relationship.
    ///
    /// Where a relationship is its own inverse, both sides of the table are the same, and a change set gives each link
    /// both ways (`relationships/self-inverse`).
    public struct Link: Hashable, Sendable {
        /// The index in ``ModelLayout/linkTables``.
        public var table: Int
        /// The key of the object on the first side.
        public var first: Int64
        /// The key of the object on the second side.
        public var second: Int64
        /// The place of `second` among the objects `first` is linked to, when that side is ordered.
        ///
        /// Objects come in the order of their places, ties by key. Places need not be dense: an object that is put between
        /// two others gets a place between theirs (`relationships/equal-places`).
        public var firstPosition: Int64?
        /// The place of `first` among the objects `second` is linked to, when that side is ordered.
        public var secondPosition: Int64?

        /// A link between two objects.
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
    /// Deleting a row also removes its links, and nothing else: delete rules are the core's work.
    ///
    /// Rows are deleted before others are inserted, so that their unique values are free.
    ///
    /// `relationships/delete-removes-links`, `relationships/delete-removes-nothing-else`, `merging/delete-frees`
    public var deletes: [Delete] = []
    /// Links to remove; positions do not matter.
    ///
    /// Removed before ``links`` are added.
    ///
    /// `relationships/unlink`, `relationships/unlink-before-link`
    public var unlinks: [Link] = []
    /// Links to add.
    ///
    /// Adding one that exists sets its positions; a position that is nil stays as it is.
    ///
    /// `relationships/relink-moves`, `relationships/relink-is-one-link`
    public var links: [Link] = []
    /// Links to give other places.
    ///
    /// Moved after ``links`` were added. A link that does not exist, because someone else removed it, is passed over; a
    /// position that is nil stays as it is. An implementation with a special case for one inserted row must move links in
    /// it too.
    ///
    /// `relationships/move`, `relationships/move-keeps-removed`, `relationships/with-one-insert`
    public var moves: [Link] = []
    /// What to do with inserts that have the unique values of another row: by the index of the root entity, a policy for
    /// each of its constraints, in their order.
    ///
    /// A constraint without a policy has ``UniqueConstraintPolicy/merge``.
    ///
    /// `policies/throw`, `policies/keep`, `policies/per-constraint`
    public var uniqueConstraintPolicies: [Int: [UniqueConstraintPolicy]] = [:]
    /// What must still be as it was read, or none of the changes are made.
    ///
    /// `conditions/atomic`, `conditions/in-parallel`
    public var conditions: [Condition] = []

    /// Nothing to change.
    public init() {}

    /// Whether links are added, removed or moved.
    public var hasLinks: Bool { !links.isEmpty || !unlinks.isEmpty || !moves.isEmpty }

    /// Whether there is nothing to do; conditions alone are nothing.
    public var isEmpty: Bool {
        inserts.isEmpty && updates.isEmpty && deletes.isEmpty && !hasLinks
    }
}
