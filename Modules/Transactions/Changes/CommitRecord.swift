package import CofferStorage

/// The record of a commit: the changes in each store, for other contexts and for observers.
package struct CommitRecord: Sendable {
    /// The changes in one store.
    package struct InStore: Sendable {
        package let store: OpenStore
        /// New rows, as they are now.
        package var inserted: LazyMapSequence<[ChangeSet.Insert], Row> { inserts.lazy.map(\.row) }
        /// The new rows as they were handed to the store, so that no other list of them need be made.
        package var inserts: [ChangeSet.Insert] = []
        /// Changed rows, as they were and as they are now.
        ///
        /// The old one is nil when this process did not know it.
        package var updated: [(old: Row?, new: Row)] = []
        /// The last known rows of what was deleted.
        package var deleted: [Row] = []
        /// The relationships whose links changed.
        package var relationships: Set<Int> = []
        /// The links that were added or removed.
        package var links: [ChangeSet.Link] = []
        /// The owners of ordered many-to-many relationships whose members come in another order.
        package var reordered: [(relationship: Int, owner: ObjectID)] = []
        /// The rows that the store made into something else than it was handed.
        package var refreshed: [Row] = []
        /// New rows that were merged into existing ones.
        package var merges: [CommitResult.Merge] = []
    }

    package var stores: [InStore] = []
    /// Counts the stack's commits, from 1.
    package var number = 0
    /// Whether it stands for commits of which no more is known than that they were made: the view queue was too late
    /// for all of their rows to be kept.
    package var isUnknown = false
    /// The relationships that unknown commits changed.
    ///
    /// Empty for a known commit.
    package var touched = TouchedRelations()
    /// Who made the changes, in the caller's own terms.
    package let sourceIdentifier: SourceIdentifier

    package var isEmpty: Bool { stores.isEmpty }
}

/// What the caller of a transaction named as the source of its changes.
// Sendable: handed from the caller to observers and never looked into.
package struct SourceIdentifier: @unchecked Sendable {
    package let value: Any?
}
