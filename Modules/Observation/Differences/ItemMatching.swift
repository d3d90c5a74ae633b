import CofferStorage

/// Matches the items of two compared lists, and finds deleted, inserted, moved and changed items.
struct ItemMatching {
    typealias Item = ComparedItem

    /// The items that are not in the new list, in the order of the old list.
    private(set) var deleted: [Item] = []
    /// The items that were not in the old list, in the order of the new list.
    private(set) var inserted: [Item] = []
    /// The items that change places, in the order of the new list.
    private(set) var moved: [(old: Item, new: Item)] = []
    /// The items whose rows changed, in the order of the new list.
    private(set) var changed: [Item] = []
    /// The objects that count as changed and are not in the gaps of the new list.
    let notCompared: Set<ObjectID>

    /// - Parameters:
    ///   - old: the items in the gaps of the old list.
    ///   - new: the items in the gaps of the new list.
    ///   - updated: the objects that count as changed although their rows have not.
    init(_ old: [Item], _ new: [Item], _ sections: SectionMatching, updated: Set<ObjectID>) {
        notCompared = updated.isEmpty ? [] : updated.subtracting(new.lazy.map(\.id))
        var former = FormerItems(old)
        var kept: [(old: Item, new: Item)] = []
        kept.reserveCapacity(new.count)
        for item in new {
            if let old = former.take(item.id) { kept.append((old, item)) } else { inserted.append(item) }
        }
        deleted = former.rest
        let isChanged = kept.map { pair in
            guard !updated.contains(pair.new.id) else { return true }
            guard let old = pair.old.version, let new = pair.new.version else { return false }
            return old != new
        }
        changed = kept.indices.filter { isChanged[$0] }.map { kept[$0].new }

        var start = 0
        while start < kept.count {
            let section = kept[start].new.section
            var end = start + 1
            while end < kept.count, kept[end].new.section == section { end += 1 }
            let isLoose = sections.isLoose(section)
            // An item can stay only if it keeps its section and stays between the same shared entries.
            let steady = (start..<end).filter { index in
                let (old, new) = kept[index]
                return (isLoose || old.gap == new.gap) && sections.newSection(of: old.section) == section
            }
            let staying = LongestRun.ascending(ofPlaces: steady.map { kept[$0].old.place }) { !isChanged[steady[$0]] }
            var next = 0
            for index in start..<end {
                if next < steady.count, steady[next] == index {
                    next += 1
                    if staying.contains(next - 1) { continue }
                }
                moved.append(kept[index])
            }
            start = end
        }
    }
}

/// The items of an old list, which are removed one by one.
///
/// The program may have added an item to a snapshot twice. The occurrences in both lists are then matched in their
/// order.
private struct FormerItems {
    private let items: [ComparedItem]
    private var indexes: [ObjectID: Int] = [:]
    /// The index of the next item with the same id, by the index of an item.
    private var following: [Int: Int] = [:]
    private var isTaken: [Bool]

    init(_ items: [ComparedItem]) {
        self.items = items
        isTaken = [Bool](repeating: false, count: items.count)
        indexes.reserveCapacity(items.count)
        for index in items.indices.reversed() {
            if let next = indexes.updateValue(index, forKey: items[index].id) { following[index] = next }
        }
    }

    mutating func take(_ id: ObjectID) -> ComparedItem? {
        guard let index = indexes[id] else { return nil }
        indexes[id] = following.isEmpty ? nil : following[index]
        isTaken[index] = true
        return items[index]
    }

    /// The items that were not taken.
    var rest: [ComparedItem] { items.indices.filter { !isTaken[$0] }.map { items[$0] } }
}
