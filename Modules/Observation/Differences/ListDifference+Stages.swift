import CofferEvaluation
import Foundation

/// Divides the differences of two lists into stages, which a view applies one after the other.
extension ListDifference {
    /// Puts changes into stages.
    ///
    /// - Parameter reloads: places in the new list of what is reloaded in addition, in any order.
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
        // Sections may have changed places.
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

/// The sections between the first and the last stage: those of the new list, and those that are to be deleted.
///
/// A section that is to be deleted stands before the first section that stays behind it.
private struct SectionsBetween {
    private let sections: SectionMatching
    /// For each section that is to be deleted, how many sections of the new list are before it; in ascending order.
    private let before: [Int]

    init(_ comparison: ListComparison) {
        let sections = comparison.sections
        let moving = (
            old: SparsePlaces(skipped: (sections.deleted + sections.moved.map(\.old)).sorted()),
            new: SparsePlaces(skipped: (sections.inserted + sections.moved.map(\.new)).sorted())
        )
        self.sections = sections
        before = sections.deleted.map {
            // The place of the first section behind it that stays, or else the end.
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
