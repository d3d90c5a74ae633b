import CofferSchema
public import CofferStorage

/// What is in the list.
extension ListSnapshot {
    /// Whether there are sections.
    public func hasSections() -> Bool { numberOfSections > 0 }

    /// Whether there are items.
    public func hasItems() -> Bool { numberOfItems > 0 }

    /// Whether there is such a section with items in it.
    public func hasItems(inSectionIndex sectionIndex: Int) -> Bool {
        sectionIndex >= 0 && sectionIndex < numberOfSections && !items.places(ofSection: sectionIndex).isEmpty
    }

    /// Whether there is such a section with items in it.
    public func hasItems(inSectionWithID sectionID: SectionID) -> Bool {
        indexOfSection(withID: sectionID).map { hasItems(inSectionIndex: $0) } ?? false
    }

    /// How many items there are in all.
    public var numberOfItems: Int { items.count }

    /// How many sections there are: none in an empty list, one in a list without sections.
    public var numberOfSections: Int { items.sectionCount }

    /// How many items a section has, which must exist.
    public func numberOfItems(inSectionWithID sectionID: SectionID) -> Int {
        numberOfItems(inSectionIndex: existingSection(sectionID))
    }

    /// How many items a section has, which must exist.
    public func numberOfItems(inSectionIndex sectionIndex: Int) -> Int { items.places(ofSection: sectionIndex).count }

    /// The names of the sections, in their order.
    public var sectionIDs: [SectionID] { (0..<numberOfSections).map { items.sectionID(at: $0) } }

    /// The section that an item is in; nil when it is in none.
    public func sectionID(containingItemWithID itemID: ItemID) -> SectionID? {
        indexOfItem(withID: itemID).map { items.sectionID(at: items.section(ofPlace: $0)) }
    }

    /// The sections, in their order.
    public func sections() -> [SectionInfo] { (0..<numberOfSections).map { section($0) } }

    /// The section that an item is in; nil when it is in none.
    public func section(containingItemWithID itemID: ItemID) -> SectionInfo? {
        indexOfItem(withID: itemID).map { section(items.section(ofPlace: $0)) }
    }

    /// The ids of all items, in their order.
    public var itemIDs: [ItemID] { items.ids(0..<items.count) }

    /// The ids of a section's items, which must exist.
    public func itemIDs(inSectionWithID sectionID: SectionID) -> [ItemID] {
        items.ids(items.places(ofSection: existingSection(sectionID)))
    }

    /// The ids at some places of a section, which must exist.
    public func itemIDs<S: Sequence>(
        inSectionWithID sectionID: SectionID, atIndices indices: S
    ) -> [ItemID] where S.Element == Int {
        let ids = itemIDs(inSectionWithID: sectionID)
        return indices.map { ids[$0] }
    }

    /// The place of an item in the whole list; nil when it is not there.
    ///
    /// The first look into a snapshot goes through all of its items; later ones do not.
    public func indexOfItem(withID itemID: ItemID) -> Index? { generation.place(of: itemID, in: items) }

    /// The place of a section; nil when there is none of the name.
    public func indexOfSection(withID sectionID: SectionID) -> Int? {
        (0..<numberOfSections).first { items.sectionID(at: $0) == sectionID }
    }

    // MARK: Items

    /// The items at some places.
    public func items<S: Sequence>(atIndices indices: S) -> [ObjectPublisher<O>] where S.Element == Index {
        indices.map { self[$0] }
    }

    /// The items of a section, which must exist.
    public func items(inSectionWithID sectionID: SectionID) -> [ObjectPublisher<O>] {
        itemIDs(inSectionWithID: sectionID).map { publisher($0) }
    }

    /// The items at some places of a section, which must exist.
    public func items<S: Sequence>(
        inSectionWithID sectionID: SectionID, atIndices itemIndices: S
    ) -> [ObjectPublisher<O>] where S.Element == Int {
        itemIDs(inSectionWithID: sectionID, atIndices: itemIndices).map { publisher($0) }
    }

    /// The items at some places, made when they are looked at.
    public func lazy<S: Sequence>(
        atIndices indices: S
    ) -> LazyMapSequence<S, ObjectPublisher<O>> where S.Element == Index {
        indices.lazy.map { self[$0] }
    }

    /// The items of a section, which must exist, made when they are looked at.
    public func lazy(inSectionWithID sectionID: SectionID) -> LazyMapSequence<[ObjectID], ObjectPublisher<O>> {
        itemIDs(inSectionWithID: sectionID).lazy.map { publisher($0) }
    }

    /// The items at some places of a section, which must exist, made when they are looked at.
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
        Diagnostics.abort("The snapshot has no section '\(sectionID)'. See 'sectionIDs' for those it has.")
    }
}
