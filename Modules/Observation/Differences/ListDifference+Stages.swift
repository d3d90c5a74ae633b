import CofferEvaluation
import Foundation

/// Divides the differences of two lists into stages, which a view applies one after the other.
extension ListDifference {
    /// Divides the changes of a comparison into stages.
    ///
    /// - Parameter reloads: the index paths in the new list of additional items to reload, in any order.
    init(_ comparison: ListComparison, reloads: [IndexPath]) {
        let between = SectionsBetween(comparison)
        let (sections, items) = (comparison.sections, comparison.items)
        var (arranging, placing, deleting, reloading) = (Stage(), Stage(), Stage(), Stage())

        arranging.sectionInsertions = sections.inserted.map {
            SectionInsertion(index: between.index(ofNew: $0), sectionID: comparison.new.sectionID(at: $0))
        }
        arranging.sectionMoves = sections.moved.map {
            SectionMove(from: $0.old, to: between.index(ofNew: $0.new))
        }
        placing.itemDeletions = items.deleted.compactMap { item in
            guard sections.newSection(of: item.section) != nil else { return nil }
            return [between.index(ofOld: item.section), item.offset]
        }
        // The deletions may be out of order, because sections may have changed places.
        placing.itemDeletions.sort()
        placing.itemInsertions = items.inserted.map {
            ItemInsertion(indexPath: [between.index(ofNew: $0.section), $0.offset], itemID: $0.id)
        }
        placing.itemMoves = items.moved.map { old, new in
            ItemMove(
                from: [between.index(ofOld: old.section), old.offset],
                to: [between.index(ofNew: new.section), new.offset])
        }
        deleting.sectionDeletions = sections.deleted.map { between.index(ofOld: $0) }
        let changed = items.changed.map { IndexPath(indexes: [$0.section, $0.offset]) }
        reloading.itemReloads = reloads.isEmpty ? changed : Set(changed).union(reloads).sorted()
        self.init(stages: [arranging, placing, deleting, reloading])
    }
}

/// The sections between the first and the last stage: the sections of the new list, and the sections to delete.
///
/// A section to delete stands before the next section that stays.
private struct SectionsBetween {
    private let sections: SectionMatching
    /// The number of sections of the new list before each section to delete, in ascending order.
    private let before: [Int]

    init(_ comparison: ListComparison) {
        let sections = comparison.sections
        let moving = (
            old: SparsePlaces(skipped: (sections.deleted + sections.moved.map(\.old)).sorted()),
            new: SparsePlaces(skipped: (sections.inserted + sections.moved.map(\.new)).sorted())
        )
        self.sections = sections
        before = sections.deleted.map {
            // The place of the next section that stays, or the end of the list.
            moving.new.place(ofRank: moving.old.rank(of: $0))
        }
    }

    func index(ofNew section: Int) -> Int { section + Search.count(of: before) { $0 <= section } }

    func index(ofOld section: Int) -> Int {
        if let new = sections.newSection(of: section) { return index(ofNew: new) }
        let number = Search.count(of: sections.deleted) { $0 < section }
        return before[number] + number
    }
}
