package import CofferStorage

/// The record of a commit: the changes in each store, for other contexts and for observers.
package struct CommitRecord: Sendable {
    /// The changes in one store.
    package struct InStore: Sendable {
        package let store: OpenStore
        /// New rows, as they are now.
        package var inserted: LazyMapSequence<[ChangeSet.Insert], Row> { inserts.lazy.map(\.row) }
        /// The new rows in the form of the change set, so that no other list of them is created.
        package var inserts: [ChangeSet.Insert] = []
        /// The changed rows, before and after the commit.
        ///
        /// The old row is nil if this process did not know it.
        package var updated: [(old: Row?, new: Row)] = []
        /// The last known rows of the deleted objects.
        package var deleted: [Row] = []
        /// The relationships whose links changed.
        package var relationships: Set<Int> = []
        /// The links that were added or removed.
        package var links: [ChangeSet.Link] = []
        /// The owners of ordered many-to-many relationships whose remaining members have a new order.
        package var reordered: [(relationship: Int, owner: ObjectID)] = []
        /// The rows that differ in the store from the rows of the change set.
        package var refreshed: [Row] = []
        /// New rows that were merged into existing ones.
        package var merges: [CommitResult.Merge] = []
    }

    package var stores: [InStore] = []
    /// The number of the commit in the stack, from 1.
    package var number = 0
    /// Whether the record stands for commits of which only the existence is known.
    ///
    /// The view queue was too late for all rows of these commits to be kept.
    package var isUnknown = false
    /// The relationships that unknown commits changed.
    ///
    /// Empty for a known commit.
    package var touched = TouchedRelations()
    /// The source of the changes, as the caller named it.
    package let sourceIdentifier: SourceIdentifier

    package var isEmpty: Bool { stores.isEmpty }
}

/// The source of changes, as the caller of a transaction named it.
// Sendable: the value goes from the caller to the observers, and no other code reads it.
package struct SourceIdentifier: @unchecked Sendable {
    package let value: Any?
}
