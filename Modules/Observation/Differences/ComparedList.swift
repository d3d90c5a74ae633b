import CofferStorage

/// One of two compared lists, either observed or edited: its sections and items.
enum ComparedList {
    case tree(ListTree)
    case edited(EditedSections)

    /// An item of a compared list.
    struct Item {
        /// The place in the whole list.
        let place: Int
        let id: ObjectID
        /// The version of the object's row; nil for an item that the program added to the snapshot.
        let version: Int64?
        let section: Int
        /// The place in the section.
        let offset: Int
        /// The number of the gap that the item is in.
        let gap: Int
    }

    /// - Parameter fetched: the list that the snapshot was before the program edited it.
    init(_ items: SnapshotItems, fetched: ListTree) {
        switch items {
        case .observed(let tree): self = .tree(tree)
        case .edited(let sections): self = .edited(EditedSections(sections, fetched))
        }
    }

    var count: Int {
        switch self {
        case .tree(let tree): tree.count
        case .edited(let list): list.starts.last ?? 0
        }
    }

    var sectionCount: Int {
        switch self {
        case .tree(let tree): tree.runCount
        case .edited(let list): list.sections.count
        }
    }

    func sectionID(at section: Int) -> String {
        switch self {
        case .tree(let tree): tree[tree.start(ofRun: section)].section?.text ?? ""
        case .edited(let list): list.sections[section].id
        }
    }

    /// The places of a section's items.
    func places(ofSection section: Int) -> Range<Int> {
        switch self {
        case .tree(let tree): tree.places(ofRun: section)
        case .edited(let list): list.starts[section]..<list.starts[section + 1]
        }
    }

    /// The section of the item at a place.
    func section(ofPlace place: Int) -> Int {
        switch self {
        case .tree(let tree): tree.run(at: place)
        case .edited(let list): list.section(ofPlace: place)
        }
    }

    /// The items at the places of a gap.
    func items(at places: Range<Int>, gap: Int) -> [Item] {
        guard !places.isEmpty else { return [] }
        var items: [Item] = []
        items.reserveCapacity(places.count)
        var section = section(ofPlace: places.lowerBound)
        switch self {
        case .tree(let tree):
            var start = tree.start(ofRun: section)
            var last: SectionName?
            tree.forEach(in: places) { entry in
                let place = places.lowerBound + items.count
                if !items.isEmpty, entry.section !== last { (section, start) = (section + 1, place) }
                last = entry.section
                items.append(
                    Item(
                        place: place, id: entry.id, version: entry.row.version, section: section,
                        offset: place - start, gap: gap))
            }
        case .edited(let list):
            for place in places {
                while list.starts[section + 1] <= place { section += 1 }
                let offset = place - list.starts[section]
                let id = list.sections[section].items[offset]
                items.append(
                    Item(
                        place: place, id: id, version: list.versions[id], section: section, offset: offset, gap: gap))
            }
        }
        return items
    }
}

/// The sections of an edited snapshot, with what is looked up in them.
struct EditedSections {
    let sections: [SnapshotItems.Section]
    /// The place of each section's first item, and the number of all items at the end.
    let starts: [Int]
    /// The versions of the rows that the snapshot was made of.
    let versions: [ObjectID: Int64]

    init(_ sections: [SnapshotItems.Section], _ fetched: ListTree) {
        self.sections = sections
        starts = sections.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.items.count) }
        var versions: [ObjectID: Int64] = [:]
        versions.reserveCapacity(fetched.count)
        fetched.forEach { versions[$0.id] = $0.row.version }
        self.versions = versions
    }

    func section(ofPlace place: Int) -> Int { Search.count(of: starts) { $0 <= place } - 1 }
}
