/// A hash table that finds the places of the elements of a list by their hashes.
///
/// Several places may have one hash. The caller keeps the list and compares its elements.
struct PlaceTable {
    /// The last place of each hash, counted from 1; 0 for a free slot.
    private var slots: [Int32] = []
    private var hashes: [Int] = []
    /// The former place with the same hash, for each place; -1 for none.
    private var formers: [Int32] = []

    /// How many places there are.
    var count: Int { hashes.count }

    mutating func reserveCapacity(_ count: Int) {
        hashes.reserveCapacity(count)
        formers.reserveCapacity(count)
        if slots.count * 3 < count * 4 { rebuild(slotCount: Self.slotCount(count)) }
    }

    /// Adds the next place.
    mutating func append(_ hash: Int) {
        if slots.count * 3 < (count + 1) * 4 { rebuild(slotCount: Self.slotCount((count + 1) * 2)) }
        let place = Int32(truncatingIfNeeded: count)
        hashes.append(hash)
        formers.append(enter(place, hash))
    }

    /// The last place with a hash; -1 for none.
    func last(_ hash: Int) -> Int {
        guard !slots.isEmpty else { return -1 }
        let place = slots[slot(of: hash)]
        return Int(place) - 1
    }

    /// Returns the previous place with the same hash; -1 for none.
    func former(_ place: Int) -> Int { Int(formers[place]) }

    /// Returns the slot that a hash has, or will have.
    private func slot(of hash: Int) -> Int {
        let mask = slots.count - 1
        var slot = hash & mask
        while slots[slot] != 0, hashes[Int(slots[slot]) - 1] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func enter(_ place: Int32, _ hash: Int) -> Int32 {
        let slot = slot(of: hash)
        defer { slots[slot] = place + 1 }
        return slots[slot] - 1
    }

    private static func slotCount(_ count: Int) -> Int {
        var slotCount = 64
        while slotCount * 3 < count * 4 { slotCount *= 2 }
        return slotCount
    }

    private mutating func rebuild(slotCount: Int) {
        slots = Array(repeating: 0, count: slotCount)
        for place in hashes.indices { _ = enter(Int32(truncatingIfNeeded: place), hashes[place]) }
    }
}
