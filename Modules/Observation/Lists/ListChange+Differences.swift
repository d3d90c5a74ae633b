import CofferStorage

/// Computes the change from one list to another list.
extension ListChange {
    /// Computes the change from one list to another list.
    ///
    /// An object that is in both lists and has changed counts as updated, or as moved if its place in the order
    /// changed. If further objects must have moved, as few objects as possible move, and changed objects move first.
    ///
    /// - Parameters:
    ///   - order: the order of the list, if rows alone determine it.
    ///   - isTouched: whether an object counts as changed although its row did not change; nil if no object does.
    ///   - kinds: the kinds of an entity's columns, if rows may change and keep their version; values are then
    ///     compared.
    init(
        from old: ListTree, to new: [ListEntry], order: ListRequest.Order? = nil,
        isTouched: ((ListEntry) -> Bool)? = nil, kinds: ((Int) -> [ColumnKind])? = nil
    ) {
        var places: [ObjectID: Int] = [:]
        places.reserveCapacity(old.count)
        let oldEntries = old.entries
        for (place, entry) in oldEntries.enumerated() { places[entry.id] = place }
        // The places of the entries that are in both lists.
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
        // An object moves if its section or its values in the order changed. Of the other objects, the unchanged
        // objects stay if possible.
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
