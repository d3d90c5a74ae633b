import CofferSchema
import CofferStorage
import Foundation

extension ListSnapshot {
    /// The steps that lead from an older snapshot of the list to this one.
    ///
    /// ```swift
    /// for stage in new.difference(from: old).stages { shown.apply(stage) }
    /// ```
    ///
    /// An item moves when its section changes, or its order among the items of its section. Items whose objects did not
    /// change stay where they can.
    ///
    /// An item is reloaded when it is in both snapshots and its object was changed between them, or when
    /// ``updatedItemIdentifiers`` of this snapshot has it. A change of a related object is known only to the snapshot of
    /// the commit that made it: compare consecutive snapshots where cells show related objects.
    ///
    /// Snapshots of one publisher share what is the same in both. Their difference takes time in proportion to what the
    /// commits between them changed. Where the publisher had to fetch the list again, and for edited snapshots, it takes
    /// time in proportion to the list, and n log n steps where the order is different.
    public func difference(from old: ListSnapshot<O>) -> ListDifference {
        guard self != old else { return ListDifference(stages: []) }
        let comparison = ListComparison(
            ComparedList(old.items, fetched: old.fetched), ComparedList(items, fetched: fetched),
            updated: updatedItemIdentifiers)
        let reloads = comparison.items.notCompared.compactMap { id -> IndexPath? in
            guard let place = indexOfItem(withID: id) else { return nil }
            let section = comparison.new.section(ofPlace: place)
            return [section, place - comparison.new.places(ofSection: section).lowerBound]
        }
        return ListDifference(comparison, reloads: reloads)
    }
}
