import CofferEvaluation
import CofferSchema
import CofferStorage

/// The items of a list snapshot in sections, either observed or edited.
enum SnapshotItems {
    /// The items of an observed list.
    case observed(ListTree)
    /// The items of a snapshot that the program edited; sections may be empty.
    case edited(EditedSections)

    /// A section of an edited snapshot.
    struct Section: Hashable {
        var id: String
        var items: [ObjectID] = []
    }

    /// The list of the snapshot before it was edited.
    var fetched: ListTree {
        switch self {
        case .observed(let tree): tree
        case .edited(let list): list.fetched
        }
    }

    var count: Int {
        switch self {
        case .observed(let tree): tree.count
        case .edited(let list): list.starts.last ?? 0
        }
    }

    var sectionCount: Int {
        switch self {
        case .observed(let tree): tree.runCount
        case .edited(let list): list.sections.count
        }
    }

    func id(at place: Int) -> ObjectID {
        guard place >= 0, place < count else {
            Diagnostics.abort("There is no item at index \(place) among \(count) items. Use 'safeIndex'.")
        }
        switch self {
        case .observed(let tree): return tree[place].id
        case .edited(let list):
            let section = list.section(ofPlace: place)
            return list.sections[section].items[place - list.starts[section]]
        }
    }

    func sectionID(at section: Int) -> String {
        switch self {
        case .observed(let tree): tree[tree.start(ofRun: section)].section?.text ?? ""
        case .edited(let list): list.sections[section].id
        }
    }

    /// The places of a section's items in the whole list.
    func places(ofSection section: Int) -> Range<Int> {
        guard section >= 0, section < sectionCount else {
            Diagnostics.abort("There is no section \(section) among \(sectionCount) sections. See 'numberOfSections'.")
        }
        return switch self {
        case .observed(let tree): tree.places(ofRun: section)
        case .edited(let list): list.starts[section]..<list.starts[section + 1]
        }
    }

    /// The section of the item at a place.
    func section(ofPlace place: Int) -> Int {
        switch self {
        case .observed(let tree): tree.run(at: place)
        case .edited(let list): list.section(ofPlace: place)
        }
    }

    /// The ids at some places.
    func ids(_ places: Range<Int>) -> [ObjectID] {
        switch self {
        case .observed(let tree) where places.count == tree.count: tree.entries.map(\.id)
        case .observed(let tree): places.map { tree[$0].id }
        case .edited(let list): Array(list.sections.flatMap(\.items)[places])
        }
    }

    /// The sections, which can be edited.
    var sections: [Section] {
        get {
            if case .edited(let list) = self { return list.sections }
            return (0..<sectionCount).map { Section(id: sectionID(at: $0), items: ids(places(ofSection: $0))) }
        }
        set { self = .edited(EditedSections(newValue, fetched)) }
    }
}

/// The sections of an edited snapshot, with the places where they start, and with the fetched list.
struct EditedSections {
    let sections: [SnapshotItems.Section]
    /// The place of each section's first item, and the number of all items at the end.
    let starts: [Int]
    /// The list of the snapshot before it was edited.
    let fetched: ListTree

    init(_ sections: [SnapshotItems.Section], _ fetched: ListTree) {
        self.sections = sections
        starts = sections.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.items.count) }
        self.fetched = fetched
    }

    /// The section of the item at a place.
    func section(ofPlace place: Int) -> Int { Search.count(of: starts) { $0 <= place } - 1 }
}
