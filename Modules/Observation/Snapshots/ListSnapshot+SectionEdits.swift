import CofferSchema
import CofferStorage

/// Edits sections in a copy of a list snapshot, without saving: `appendSections`, `moveSection`, `reloadSections`.
extension ListSnapshot {
    /// Adds empty sections at the end.
    public mutating func appendSections<C: Collection>(withIDs sectionIDs: C) where C.Element == SectionID {
        insertSections(sectionIDs, at: numberOfSections)
    }

    /// Adds empty sections before another section, which must exist.
    public mutating func insertSections<C: Collection>(
        withIDs sectionIDs: C, beforeSectionID: SectionID
    ) where C.Element == SectionID {
        insertSections(sectionIDs, at: existingSection(beforeSectionID))
    }

    /// Adds empty sections after another section, which must exist.
    public mutating func insertSections<C: Collection>(
        withIDs sectionIDs: C, afterSectionID: SectionID
    ) where C.Element == SectionID {
        insertSections(sectionIDs, at: existingSection(afterSectionID) + 1)
    }

    /// Adds empty sections at an index.
    public mutating func insertSections<C: Collection>(
        _ sectionIDs: C, at sectionIndex: Int
    ) where C.Element == String {
        items.sections.insert(contentsOf: sectionIDs.map { .init(id: $0) }, at: sectionIndex)
    }

    /// Removes sections with their items; names without a section are ignored.
    public mutating func deleteSections<C: Collection>(withIDs sectionIDs: C) where C.Element == SectionID {
        let gone = Set(sectionIDs)
        items.sections.removeAll { gone.contains($0.id) }
    }

    /// Removes the sections at some indexes, with their items.
    public mutating func deleteSections<C: Collection>(at sectionIndices: C) where C.Element == Int {
        for index in sectionIndices.sorted().reversed() { items.sections.remove(at: index) }
    }

    /// Marks the items of sections as updated; names without a section are ignored.
    public mutating func reloadSections<C: Collection>(withIDs sectionIDs: C) where C.Element == SectionID {
        let reloaded = Set(sectionIDs)
        reload(items.sections.filter { reloaded.contains($0.id) })
    }

    /// Marks the items of the sections at some indexes as updated.
    public mutating func reloadSections<C: Collection>(at sectionIndices: C) where C.Element == Int {
        let sections = items.sections
        reload(sectionIndices.map { sections[$0] })
    }

    private mutating func reload(_ sections: [SnapshotItems.Section]) {
        generation = SnapshotGeneration()
        updatedItemIdentifiers.formUnion(sections.flatMap(\.items))
    }

    /// Moves a section before another section; both must exist.
    public mutating func moveSection(withID sectionID: SectionID, beforeSectionID: SectionID) {
        moveSection(at: existingSection(sectionID), to: existingSection(beforeSectionID))
    }

    /// Moves a section after another section; both must exist.
    public mutating func moveSection(withID sectionID: SectionID, afterSectionID: SectionID) {
        moveSection(at: existingSection(sectionID), to: existingSection(afterSectionID) + 1)
    }

    /// Moves a section to an index of the list before the move.
    ///
    /// The section comes before the section that has this index now. If the index is the number of sections, the
    /// section comes last.
    public mutating func moveSection(at sectionIndex: Int, to newSectionIndex: Int) {
        var sections = items.sections
        let section = sections.remove(at: sectionIndex)
        sections.insert(section, at: newSectionIndex > sectionIndex ? newSectionIndex - 1 : newSectionIndex)
        items.sections = sections
    }
}
