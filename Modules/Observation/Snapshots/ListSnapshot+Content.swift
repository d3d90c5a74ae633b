import CofferSchema
public import CofferStorage

/// Returns the items, sections and indexes of a list snapshot.
extension ListSnapshot {
    /// Whether the list has sections.
    public func hasSections() -> Bool { numberOfSections > 0 }

    /// Whether the list has items.
    public func hasItems() -> Bool { numberOfItems > 0 }

    /// Whether the list has a section with this index, and items in it.
    public func hasItems(inSectionIndex sectionIndex: Int) -> Bool {
        sectionIndex >= 0 && sectionIndex < numberOfSections && !items.places(ofSection: sectionIndex).isEmpty
    }

    /// Whether the list has a section with this name, and items in it.
    public func hasItems(inSectionWithID sectionID: SectionID) -> Bool {
        indexOfSection(withID: sectionID).map { hasItems(inSectionIndex: $0) } ?? false
    }

    /// The number of all items.
    public var numberOfItems: Int { items.count }

    /// The number of sections: 0 in an empty list, 1 in a list that is not divided.
    public var numberOfSections: Int { items.sectionCount }

    /// The number of items in a section.
    ///
    /// If the section does not exist, the program stops.
    public func numberOfItems(inSectionWithID sectionID: SectionID) -> Int {
        numberOfItems(inSectionIndex: existingSection(sectionID))
    }

    /// The number of items in a section.
    ///
    /// If the section does not exist, the program stops.
    public func numberOfItems(inSectionIndex sectionIndex: Int) -> Int { items.places(ofSection: sectionIndex).count }

    /// The names of the sections, in their order.
    public var sectionIDs: [SectionID] { (0..<numberOfSections).map { items.sectionID(at: $0) } }

    /// The name of the section of an item; nil if the item is not in the list.
    public func sectionID(containingItemWithID itemID: ItemID) -> SectionID? {
        indexOfItem(withID: itemID).map { items.sectionID(at: items.section(ofPlace: $0)) }
    }

    /// The sections, in their order.
    public func sections() -> [SectionInfo] { (0..<numberOfSections).map { section($0) } }

    /// The section of an item; nil if the item is not in the list.
    public func section(containingItemWithID itemID: ItemID) -> SectionInfo? {
        indexOfItem(withID: itemID).map { section(items.section(ofPlace: $0)) }
    }

    /// The ids of all items, in their order.
    public var itemIDs: [ItemID] { items.ids(0..<items.count) }

    /// The ids of a section's items.
    ///
    /// If the section does not exist, the program stops.
    public func itemIDs(inSectionWithID sectionID: SectionID) -> [ItemID] {
        items.ids(items.places(ofSection: existingSection(sectionID)))
    }

    /// The ids of the items at some indexes of a section.
    ///
    /// If the section or an index does not exist, the program stops.
    public func itemIDs<S: Sequence>(
        inSectionWithID sectionID: SectionID, atIndices indices: S
    ) -> [ItemID] where S.Element == Int {
        let ids = itemIDs(inSectionWithID: sectionID)
        return indices.map { ids[$0] }
    }

    /// The index of an item in the whole list; nil if the item is not in the list.
    ///
    /// The first call on a snapshot visits all of its items. Later calls do not.
    public func indexOfItem(withID itemID: ItemID) -> Index? { generation.place(of: itemID, in: items) }

    /// The index of a section; nil if there is no section with the name.
    public func indexOfSection(withID sectionID: SectionID) -> Int? {
        (0..<numberOfSections).first { items.sectionID(at: $0) == sectionID }
    }

    // MARK: Items

    /// The items at some indexes.
    public func items<S: Sequence>(atIndices indices: S) -> [ObjectPublisher<O>] where S.Element == Index {
        indices.map { self[$0] }
    }

    /// The items of a section.
    ///
    /// If the section does not exist, the program stops.
    public func items(inSectionWithID sectionID: SectionID) -> [ObjectPublisher<O>] {
        itemIDs(inSectionWithID: sectionID).map { publisher($0) }
    }

    /// The items at some indexes of a section.
    ///
    /// If the section or an index does not exist, the program stops.
    public func items<S: Sequence>(
        inSectionWithID sectionID: SectionID, atIndices itemIndices: S
    ) -> [ObjectPublisher<O>] where S.Element == Int {
        itemIDs(inSectionWithID: sectionID, atIndices: itemIndices).map { publisher($0) }
    }

    /// The items at some indexes, which are created when the program reads them.
    public func lazy<S: Sequence>(
        atIndices indices: S
    ) -> LazyMapSequence<S, ObjectPublisher<O>> where S.Element == Index {
        indices.lazy.map { self[$0] }
    }

    /// The items of a section, which are created when the program reads them.
    ///
    /// If the section does not exist, the program stops.
    public func lazy(inSectionWithID sectionID: SectionID) -> LazyMapSequence<[ObjectID], ObjectPublisher<O>> {
        itemIDs(inSectionWithID: sectionID).lazy.map { publisher($0) }
    }

    /// The items at some indexes of a section, which are created when the program reads them.
    ///
    /// If the section or an index does not exist, the program stops.
    public func lazy<S: Sequence>(
        inSectionWithID sectionID: SectionID, atIndices itemIndices: S
    ) -> LazyMapSequence<S, ObjectPublisher<O>> where S.Element == Int {
        let section = existingSection(sectionID)
        return itemIndices.lazy.map { self[section, $0] }
    }

    private func section(_ index: Int) -> SectionInfo {
        SectionInfo(
            sectionID: items.sectionID(at: index), itemIDs: items.ids(items.places(ofSection: index)),
            makePublisher: publisher
        )
    }

    func existingSection(_ sectionID: SectionID) -> Int {
        if let index = indexOfSection(withID: sectionID) { return index }
        Diagnostics.abort("The snapshot has no section '\(sectionID)'. Use an id from 'sectionIDs'.")
    }
}
