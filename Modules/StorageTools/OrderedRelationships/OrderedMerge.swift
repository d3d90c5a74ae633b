/// Merges the changes that a transaction and other transactions made to an ordered relationship.
///
/// ```
/// base 1 2 3    the transaction: 1 2 3 x    others: 2 3 y    together: 2 3 y x
/// ```
///
/// - Removed members stay removed.
/// - A member that the transaction added or moved comes after the member before it in the list of the transaction. If
///   there is no such member, it comes before all others. If no member of the base comes after it, it comes last.
/// - All other members have the places that the other transactions gave them.
///
/// The number of moved members is the minimum for the change of the order.
package struct OrderedMerge {
    /// The members in their order.
    package private(set) var keys: [Int64]
    /// The members that the transaction added or moved.
    package private(set) var placed: Set<Int64>
    /// The members in `placed` that were members before.
    package private(set) var moved: Set<Int64>
    /// The members that the transaction moved and another transaction removed.
    package private(set) var removedElsewhere: Set<Int64> = []

    /// - Parameters:
    ///   - base: the members before the first change of the transaction.
    ///   - current: the members in the transaction.
    ///   - stored: the stored members.
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
        // If other transactions changed nothing, the result is the order of the transaction.
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
