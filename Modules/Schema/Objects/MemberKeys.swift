/// The keys of the members of a relationship, in their order; the removal of any key costs little.
///
/// An array takes one step for each of its elements to remove one element, and quadratic time to remove all elements.
/// After some removals, this list therefore has a table of the places of its keys. A removed key then leaves a gap.
package struct MemberKeys: Sendable {
    /// How many times the whole list is searched before it gets a table.
    private static let searchLimit = 16
    /// Marks a gap.
    ///
    /// A list that contains this number as a key gets no table.
    private static let gap = Int64.min

    /// The keys, and gaps.
    ///
    /// Without a table there are no gaps.
    private var slots: [Int64]
    /// The places of the keys in ``slots``; empty if there is no table.
    private var places: [Int64: Int] = [:]
    private var gapCount = 0
    /// How often the list was searched without a table; less than 0 if it cannot have a table.
    private var searchCount = 0
    /// The number of elements that all removals and searches have passed or moved.
    package private(set) var stepCount = 0

    /// A list of keys.
    package init(_ keys: [Int64] = []) { slots = keys }

    /// The number of keys.
    package var count: Int { slots.count - gapCount }

    /// Whether there are no keys.
    package var isEmpty: Bool { count == 0 }

    /// The keys in their order.
    package var keys: [Int64] { gapCount == 0 ? slots : slots.filter { $0 != Self.gap } }

    /// The keys in the opposite order, without the creation of another list.
    package var reversed: some Sequence<Int64> {
        // Without gaps, any number is a key.
        let hasGaps = gapCount > 0
        return slots.reversed().lazy.filter { !hasGaps || $0 != Self.gap }
    }

    /// Removes the gaps, so that ``keys`` takes one step.
    package mutating func compact() {
        guard gapCount > 0 else { return }
        stepCount += slots.count
        slots = keys
        places = [:]
        gapCount = 0
        searchCount = 0
    }

    /// Whether a key is in the list.
    package mutating func contains(_ key: Int64) -> Bool {
        addTableIfDue()
        guard places.isEmpty else { return places[key] != nil }
        stepCount += slots.count
        return slots.contains(key)
    }

    /// Adds a key at the end.
    package mutating func append(_ key: Int64) {
        if !places.isEmpty {
            if key == Self.gap || places[key] != nil { removeTable() } else { places[key] = slots.count }
        }
        slots.append(key)
    }

    /// Removes the first occurrence of a key.
    package mutating func remove(_ key: Int64) {
        addTableIfDue()
        guard places.isEmpty else { return leaveGap(key) }
        stepCount += slots.count
        if let place = slots.firstIndex(of: key) { slots.remove(at: place) }
    }

    /// Removes every occurrence of a key.
    package mutating func removeAll(_ key: Int64) {
        addTableIfDue()
        guard places.isEmpty else { return leaveGap(key) }
        stepCount += slots.count
        slots.removeAll { $0 == key }
    }

    private mutating func leaveGap(_ key: Int64) {
        guard let place = places.removeValue(forKey: key) else { return }
        slots[place] = Self.gap
        gapCount += 1
        // The last key stays the last slot.
        while slots.last == Self.gap {
            slots.removeLast()
            gapCount -= 1
        }
        stepCount += 1
        if gapCount > slots.count / 2 { compact() }
    }

    private mutating func addTableIfDue() {
        guard places.isEmpty, searchCount >= 0 else { return }
        searchCount += 1
        guard searchCount > Self.searchLimit, slots.count > Self.searchLimit else { return }
        stepCount += slots.count
        var made: [Int64: Int] = [:]
        made.reserveCapacity(slots.count)
        for (place, key) in slots.enumerated() where key != Self.gap { made[key] = place }
        if made.count == slots.count { places = made } else { searchCount = -1 }
    }

    /// Returns to a plain list, because a key is no longer in a single place.
    private mutating func removeTable() {
        compact()
        places = [:]
        searchCount = -1
    }
}
