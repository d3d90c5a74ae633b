/// A hash table that finds the positions of changed rows during one commit.
///
/// A place is one word, so that a lookup and an insertion each access one cache line. The upper half of the word is
/// the upper half of a hash, and the lower half is the number plus one. The word of an empty place is zero. Different
/// hashes may have the same upper half, so the caller must compare each result with the value that it looks up.
struct HashTable {
    private var places: [UInt64]
    private var count = 0

    init(capacity: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        places = capacity == 0 ? [] : Array(repeating: 0, count: size)
    }

    mutating func add(_ hash: UInt64, _ number: Int) {
        if (count + 1) * 4 > places.count * 3 { grow() }
        put(hash & ~0xFFFF_FFFF | UInt64(UInt32(truncatingIfNeeded: number + 1)))
        count += 1
    }

    /// Calls the closure with the numbers that may have been added for a hash, until it returns false.
    func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
        if count == 0 { return }
        let mask = places.count - 1
        var place = Int(hash >> 32) & mask
        while places[place] != 0 {
            let entry = places[place]
            if entry >> 32 == hash >> 32, !body(Int(entry & 0xFFFF_FFFF) - 1) { return }
            place = (place + 1) & mask
        }
    }

    private mutating func put(_ entry: UInt64) {
        let mask = places.count - 1
        var place = Int(entry >> 32) & mask
        while places[place] != 0 { place = (place + 1) & mask }
        places[place] = entry
    }

    private mutating func grow() {
        var larger = HashTable(capacity: max(places.count, 4))
        for entry in places where entry != 0 { larger.put(entry) }
        larger.count = count
        self = larger
    }
}
