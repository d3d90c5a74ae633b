/// Numbers by hash, several for one hash; lives for one commit.
struct HashTable {
    private var hashes: [UInt64]
    private var numbers: [Int32]
    private var count = 0

    init(capacity: Int) {
        var size = 8
        while size < capacity * 2 { size *= 2 }
        hashes = Array(repeating: 0, count: size)
        numbers = Array(repeating: -1, count: size)
    }

    mutating func add(_ hash: UInt64, _ number: Int) {
        if (count + 1) * 4 > numbers.count * 3 { grow() }
        put(hash, Int32(truncatingIfNeeded: number))
        count += 1
    }

    /// Calls the closure with the numbers added for a hash until it returns false.
    func forEach(_ hash: UInt64, _ body: (Int) -> Bool) {
        let mask = numbers.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while numbers[place] >= 0 {
            if hashes[place] == hash, !body(Int(numbers[place])) { return }
            place = (place + 1) & mask
        }
    }

    private mutating func put(_ hash: UInt64, _ number: Int32) {
        let mask = numbers.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while numbers[place] >= 0 { place = (place + 1) & mask }
        hashes[place] = hash
        numbers[place] = number
    }

    private mutating func grow() {
        var larger = HashTable(capacity: numbers.count)
        for place in numbers.indices where numbers[place] >= 0 { larger.put(hashes[place], numbers[place]) }
        larger.count = count
        self = larger
    }
}
