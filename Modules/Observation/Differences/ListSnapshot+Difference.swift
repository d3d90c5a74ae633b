/// Computes the difference between two snapshots of a list.
extension ListSnapshot {
    /// Returns the steps that change an older snapshot of the list into this snapshot.
    ///
    /// ```swift
    /// for stage in new.difference(from: old).stages { shown.apply(stage) }
    /// ```
    ///
    /// An item moves if its section changes, or if its order among the items of its section changes. If possible, items
    /// whose objects did not change do not move.
    ///
    /// An item is reloaded if it is in both snapshots and its object was changed between them. It is also reloaded if
    /// ``updatedItemIdentifiers`` of this snapshot contains it. Only the snapshot of a commit contains the changes that
    /// the commit made to related objects. If cells show related objects, compare consecutive snapshots.
    ///
    /// Snapshots of one publisher share their equal parts. The time for their difference is proportional to the number
    /// of changes between them. If the publisher has fetched the list again, or if a snapshot was edited, the time is
    /// proportional to the length of the list. If the order is different, too, the comparison takes n log n steps.
    public func difference(from old: ListSnapshot<O>) -> ListDifference {
        guard self != old else { return ListDifference(stages: []) }
        let comparison = ListComparison(old.items, items, updated: updatedItemIdentifiers)
        return ListDifference(comparison, reloads: comparison.items.notCompared.compactMap(indexPath(ofItemWithID:)))
    }
}
