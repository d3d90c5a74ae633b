import CofferStorage

/// Builds the next state of a list from removed, inserted, moved and updated objects.
struct ListUpdateBuilder {
    let old: ListTree
    let local: ListRequest.Local
    let commit: Int
    var removed: [(place: Int, entry: ListEntry)] = []
    let inserted: [ListEntry]
    var moved: [(place: Int, entry: ListEntry)] = []
    var updated: [(place: Int, entry: ListEntry)] = []

    private var differing: [ObjectID: ListEntry?] {
        var differing: [ObjectID: ListEntry?] = [:]
        for (_, entry) in removed { differing[entry.id] = .some(nil) }
        for entry in inserted + (moved + updated).map(\.entry) { differing[entry.id] = .some(entry) }
        return differing
    }

    /// The next state: the new list and its change.
    var update: ListUpdate {
        var new = old
        for (place, entry) in updated { new.replace(entry, at: place) }
        let leaving = (removed + moved).map(\.place).sorted()
        let arriving = (inserted.map { (entry: $0, from: nil as Int?) } + moved.map { ($0.entry, $0.place) })
            .sorted { local.precedes($0.entry.row, $1.entry.row) }
        let places: [Int]
        if (leaving.count + arriving.count) * 8 > old.count + 64 {
            places = rebuild(&new, leaving, arriving.map(\.entry))
        } else {
            for place in leaving.reversed() { new.remove(at: place) }
            // Entries are inserted in ascending order, so that no insertion changes the place of an earlier entry.
            places = arriving.map { entry, _ in
                let place = new.firstIndex { local.precedes($0.row, entry.row) }
                new.insert(entry, at: place)
                return place
            }
        }
        var change = ListChange(removed: removed.map(\.place).sorted())
        for (place, (_, from)) in zip(places, arriving) {
            if let from { change.moved.append((from, place)) } else { change.inserted.append(place) }
        }
        change.updated = updated.map { place, entry in
            (place, new.firstIndex { local.precedes($0.row, entry.row) })
        }
        change.updated.sort { $0.old < $1.old }
        return ListUpdate(old: old, new: new, change: change, commit: commit, differing: differing, isGrouped: false)
    }

    /// Creates the tree again, for a list of which a large part changes.
    ///
    /// - Returns: the places of the arriving entries.
    private func rebuild(_ tree: inout ListTree, _ leaving: [Int], _ arriving: [ListEntry]) -> [Int] {
        var entries: [ListEntry] = []
        entries.reserveCapacity(tree.count - leaving.count + arriving.count)
        var places: [Int] = []
        var (place, gone) = (0, leaving[...])
        tree.forEach { entry in
            defer { place += 1 }
            if gone.first == place {
                gone.removeFirst()
                return
            }
            while places.count < arriving.count, local.precedes(arriving[places.count].row, entry.row) {
                places.append(entries.count)
                entries.append(arriving[places.count - 1])
            }
            entries.append(entry)
        }
        while places.count < arriving.count {
            places.append(entries.count)
            entries.append(arriving[places.count - 1])
        }
        tree = ListTree(entries)
        return places
    }
}
