import CofferStorage

/// An item of one of two compared lists.
struct ComparedItem {
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

extension SnapshotItems {
    /// Returns the items at the places of a gap, with the row versions of the snapshot.
    func items(at places: Range<Int>, gap: Int) -> [ComparedItem] {
        guard !places.isEmpty else { return [] }
        var items: [ComparedItem] = []
        items.reserveCapacity(places.count)
        var section = section(ofPlace: places.lowerBound)
        switch self {
        case .observed(let tree):
            var start = tree.start(ofRun: section)
            var last: SectionName?
            tree.forEach(in: places) { entry in
                let place = places.lowerBound + items.count
                if !items.isEmpty, entry.section !== last { (section, start) = (section + 1, place) }
                last = entry.section
                items.append(
                    ComparedItem(
                        place: place, id: entry.id, version: entry.row.version, section: section,
                        offset: place - start, gap: gap))
            }
        case .edited(let list):
            var versions: [ObjectID: Int64] = [:]
            versions.reserveCapacity(list.fetched.count)
            list.fetched.forEach { versions[$0.id] = $0.row.version }
            for place in places {
                while list.starts[section + 1] <= place { section += 1 }
                let offset = place - list.starts[section]
                let id = list.sections[section].items[offset]
                items.append(
                    ComparedItem(
                        place: place, id: id, version: versions[id], section: section, offset: offset, gap: gap))
            }
        }
        return items
    }
}
