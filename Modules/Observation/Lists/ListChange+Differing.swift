import CofferStorage

extension ListChange {
    /// The change from one list to another.
    ///
    /// What is in both and has changed counts as updated; where some of these must have moved, as few as possible do.
    ///
    /// - Parameters:
    ///   - touched: what counts as changed although its row has not.
    ///   - kinds: the kinds of an entity's columns, by which rows are compared that may change and keep their version.
    init(
        from old: ListTree, to new: [ListEntry], touched: [ObjectID: Set<Int>] = [:],
        kinds: ((Int) -> [ColumnKind])? = nil
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
        let isInOrder = zip(kept, kept.dropFirst()).allSatisfy { $0.old < $1.old }
        let staying = isInOrder ? nil : LongestRun.ascending(in: kept.map(\.old))
        for (index, pair) in kept.enumerated() {
            let (was, next) = (oldEntries[pair.old], new[pair.new])
            if was.section !== next.section || !(staying?.contains(index) ?? true) {
                moved.append(pair)
            } else if touched[next.id] != nil || Self.differ(was.row, next.row, kinds) {
                updated.append(pair)
            }
        }
    }

    private static func differ(_ old: Row, _ new: Row, _ kinds: ((Int) -> [ColumnKind])?) -> Bool {
        guard let kinds = kinds?(new.entity) else { return old.version != new.version }
        return !kinds.indices.allSatisfy { old.hasSameValue($0, kinds[$0], as: new) }
    }
}
