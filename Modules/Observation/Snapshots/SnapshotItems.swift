import CofferSchema
import CofferStorage

/// The items of a list snapshot in sections, either observed or edited.
enum SnapshotItems {
    /// As an observed list had them.
    case observed(ListTree)
    /// As someone has edited them: sections may be empty then.
    case edited([Section])

    /// A section of an edited snapshot.
    struct Section: Hashable {
        var id: String
        var items: [ObjectID] = []
    }

    var count: Int {
        switch self {
        case .observed(let tree): tree.count
        case .edited(let sections): sections.reduce(0) { $0 + $1.items.count }
        }
    }

    var sectionCount: Int {
        switch self {
        case .observed(let tree): tree.runCount
        case .edited(let sections): sections.count
        }
    }

    func id(at place: Int) -> ObjectID {
        switch self {
        case .observed(let tree): if tree.indices.contains(place) { return tree[place].id }
        case .edited(let sections):
            var rest = place
            for section in sections {
                if section.items.indices.contains(rest) { return section.items[rest] }
                rest -= section.items.count
            }
        }
        Diagnostics.abort("There is no item at \(place) of \(count). Ask with 'safeIndex'.")
    }

    func sectionID(at section: Int) -> String {
        switch self {
        case .observed(let tree): tree[tree.start(ofRun: section)].section?.text ?? ""
        case .edited(let sections): sections[section].id
        }
    }

    /// The places of a section's items in the whole list.
    func places(ofSection section: Int) -> Range<Int> {
        guard section >= 0, section < sectionCount else {
            Diagnostics.abort("There is no section \(section) of \(sectionCount). See 'numberOfSections'.")
        }
        switch self {
        case .observed(let tree): return tree.places(ofRun: section)
        case .edited(let sections):
            let start = sections[..<section].reduce(0) { $0 + $1.items.count }
            return start..<start + sections[section].items.count
        }
    }

    /// The section of the item at a place.
    func section(ofPlace place: Int) -> Int {
        switch self {
        case .observed(let tree): return tree.run(at: place)
        case .edited(let sections):
            var end = 0
            return sections.firstIndex {
                end += $0.items.count
                return place < end
            } ?? sections.count
        }
    }

    /// The ids at some places.
    func ids(_ places: Range<Int>) -> [ObjectID] {
        switch self {
        case .observed(let tree) where places.count == tree.count: tree.entries.map(\.id)
        case .observed(let tree): places.map { tree[$0].id }
        case .edited(let sections): Array(sections.flatMap(\.items)[places])
        }
    }

    /// The sections, to be edited.
    var sections: [Section] {
        get {
            if case .edited(let sections) = self { return sections }
            return (0..<sectionCount).map { Section(id: sectionID(at: $0), items: ids(places(ofSection: $0))) }
        }
        set { self = .edited(newValue) }
    }
}
