/// What a transaction did to an ordered list, made on what others have made of the list meanwhile.
///
/// ```
/// base 1 2 3    the transaction: 1 2 3 x    others: 2 3 y    together: 2 3 y x
/// ```
///
/// - Removed members stay removed, whoever removed them.
/// - Members that the transaction added, and those that it moved, come after the member they follow in its list, or
///   before all others where they follow none. Where no member of the base comes after them, they come last.
/// - All other members stay as others have put them.
///
/// The members that were moved are as few as the change of the order allows.
package struct OrderedMerge {
    /// The members in their order.
    package private(set) var keys: [Int64]
    /// The members that the transaction added or moved.
    package private(set) var placed: Set<Int64>
    /// Those of them that were members before.
    package private(set) var moved: Set<Int64>
    /// The members that the transaction moved and that others removed.
    package private(set) var removedElsewhere: Set<Int64> = []

    /// - Parameters:
    ///   - base: the members when the transaction changed them first.
    ///   - current: the members as the transaction has them.
    ///   - stored: the members as they are now.
    package init(base: [Int64], current: [Int64], stored: [Int64]) {
        let indexes = Dictionary(base.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let common = current.filter { indexes[$0] != nil }
        let staying = AscendingRun.longest(in: common.compactMap { indexes[$0] })
        var moved: Set<Int64> = []
        for (index, key) in common.enumerated() where !staying.contains(index) { moved.insert(key) }
        placed = moved
        for key in current where indexes[key] == nil { placed.insert(key) }
        self.moved = moved
        let kept = Set(common).subtracting(moved)
        let now = Set(stored)
        // Without others, it is as the transaction has it.
        guard stored != base else {
            keys = current
            return
        }
        for key in moved where !now.contains(key) {
            placed.remove(key)
            self.moved.remove(key)
            removedElsewhere.insert(key)
        }
        var runs: [Int64?: [Int64]] = [:]
        var run: [Int64] = []
        var anchor: Int64?
        for key in current {
            if placed.contains(key) {
                run.append(key)
            } else if kept.contains(key), now.contains(key) {
                runs[anchor] = run
                run = []
                anchor = key
            }
        }
        keys = runs[nil] ?? []
        for key in stored where !placed.contains(key) && (indexes[key] == nil || kept.contains(key)) {
            keys.append(key)
            if let following = runs[key] { keys += following }
        }
        keys += run
    }
}
