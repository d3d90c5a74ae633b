import CofferStorage

/// Compares two lists: matches their sections and items.
struct ListComparison {
    let old: SnapshotItems
    let new: SnapshotItems
    let sections: SectionMatching
    let items: ItemMatching

    /// - Parameter updated: the objects that count as changed although their rows have not.
    init(_ old: SnapshotItems, _ new: SnapshotItems, updated: Set<ObjectID>) {
        if case .observed(let oldTree) = old, case .observed(let newTree) = new,
            let shared = ListComparison(old, new, gaps: newTree.gaps(from: oldTree), updated: updated)
        {
            self = shared
            return
        }
        self.old = old
        self.new = new
        sections = SectionMatching(
            old, new, oldLoose: Array(0..<old.sectionCount), newLoose: Array(0..<new.sectionCount))
        items = ItemMatching(
            old.items(at: 0..<old.count, gap: 0), new.items(at: 0..<new.count, gap: 0), sections, updated: updated)
    }

    /// Compares only the items in gaps; nil if the sections outside the gaps do not correspond to each other.
    private init?(_ old: SnapshotItems, _ new: SnapshotItems, gaps: [ListGap], updated: Set<ObjectID>) {
        var (oldItems, newItems) = ([ComparedItem](), [ComparedItem]())
        for (number, gap) in gaps.enumerated() {
            oldItems += old.items(at: gap.old, gap: number)
            newItems += new.items(at: gap.new, gap: number)
        }
        let loose = (old: Self.loose(oldItems, in: old), new: Self.loose(newItems, in: new))
        let ranks = (old: SparsePlaces(skipped: loose.old), new: SparsePlaces(skipped: loose.new))
        for gap in gaps {
            // The shared entries beside the gap must be in the same anchored section.
            let before = (old: gap.old.lowerBound - 1, new: gap.new.lowerBound - 1)
            let after = (old: gap.old.upperBound, new: gap.new.upperBound)
            for place in [before, after] where place.old >= 0 && place.old < old.count {
                let sections = (old: old.section(ofPlace: place.old), new: new.section(ofPlace: place.new))
                guard ranks.old.rank(of: sections.old) == ranks.new.rank(of: sections.new) else { return nil }
            }
        }
        self.old = old
        self.new = new
        sections = SectionMatching(old, new, oldLoose: loose.old, newLoose: loose.new)
        items = ItemMatching(oldItems, newItems, sections, updated: updated)
    }

    /// Returns the sections whose items are all in gaps, in ascending order.
    private static func loose(_ items: [ComparedItem], in list: SnapshotItems) -> [Int] {
        var (loose, start) = ([Int](), 0)
        while start < items.count {
            let section = items[start].section
            var end = start + 1
            while end < items.count, items[end].section == section { end += 1 }
            if list.places(ofSection: section).count == end - start { loose.append(section) }
            start = end
        }
        return loose
    }
}
