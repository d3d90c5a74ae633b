import CofferStorage

/// Computes the change from one list to another list.
extension ListChange {
    /// The change from one list to another.
    ///
    /// An object that is in both and has changed counts as updated, or as moved where its place in the order has changed.
    /// Where further ones must have moved, the changed ones have, and as few as possible.
    ///
    /// - Parameters:
    ///   - order: the order of the list, if rows alone tell it.
    ///   - isTouched: whether an object counts as changed although its row has not; nil if none does.
    ///   - kinds: the kinds of an entity's columns, by which rows are compared that may change and keep their version.
    init(
        from old: ListTree, to new: [ListEntry], order: ListRequest.Order? = nil,
        isTouched: ((ListEntry) -> Bool)? = nil, kinds: ((Int) -> [ColumnKind])? = nil
    ) {
        var places: [ObjectID: Int] = [:]
        places.reserveCapacity(old.count)
        let oldEntries = old.entries
        for (place, entry) in oldEntries.enumerated() { places[entry.id] = place }
        // What is in both, by its places.
        var kept: [(old: Int, new: Int)] = []
        var isKept = [Bool](repeating: false, count: oldEntries.count)
        for (place, entry) in new.enumerated() {
            guard let oldPlace = places[entry.id] else {
                inserted.append(place)
                continue
            }
            kept.append((oldPlace, place))
            isKept[oldPlace] = true
        }
        removed = isKept.indices.filter { !isKept[$0] }
        // An object that changed its section, or what orders it, moves. Of the others those that are unchanged stay, where
        // they can.
        let staying = kept.filter { pair in
            let (entry, now) = (oldEntries[pair.old], new[pair.new])
            guard entry.section === now.section else { return false }
            guard let order, Self.differ(entry.row, now.row, kinds) else { return true }
            return order.hasSamePlace(entry.row, now.row)
        }
        let isChanged = staying.map { old, place in
            isTouched?(new[place]) == true || Self.differ(oldEntries[old].row, new[place].row, kinds)
        }
        let isInOrder = zip(staying, staying.dropFirst()).allSatisfy { $0.old < $1.old }
        let run = isInOrder ? nil : LongestRun.ascending(in: staying.map(\.old)) { !isChanged[$0] }
        var index = 0
        for pair in kept {
            guard index < staying.count, staying[index].new == pair.new else {
                moved.append(pair)
                continue
            }
            if run?.contains(index) == false { moved.append(pair) } else if isChanged[index] { updated.append(pair) }
            index += 1
        }
    }

    private static func differ(_ old: Row, _ new: Row, _ kinds: ((Int) -> [ColumnKind])?) -> Bool {
        guard let kinds = kinds?(new.entity) else { return old.version != new.version }
        return !kinds.indices.allSatisfy { old.hasSameValue($0, kinds[$0], as: new) }
    }
}
