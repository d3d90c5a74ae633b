import CofferEvaluation

/// An entry of an index: the sort word of the indexed value, and the key of the row.
struct Entry: Hashable, Sendable {
    var word: SortWord
    var key: Int64

    /// Returns whether an entry precedes another one by its word, and then by its key.
    @inline(__always)
    static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        if left.word.high != right.word.high { return left.word.high < right.word.high }
        if left.word.low != right.word.low { return left.word.low < right.word.low }
        return left.key < right.key
    }
}

extension [Entry] {
    /// Sorts the entries by words, and then by keys.
    ///
    /// If there are many entries, they are first distributed by a few bytes of their words. Only entries with equal
    /// bytes are then compared. This takes a fifth of the work of comparisons alone.
    mutating func sortByWords() {
        guard count > 512 else { return sort(by: Entry.precedes) }
        if indices.dropFirst().allSatisfy({ Entry.precedes(self[$0 - 1], self[$0]) }) { return }
        let bytes = telling()
        var other = self
        for byte in bytes.reversed() {
            deal(into: &other, by: byte)
            swap(&self, &other)
        }
        let mask = bytes.reduce(0 as UInt64) { $0 | 0xFF << $1 }
        var start = 0
        while start < count {
            let word = self[start].word.high & mask
            var end = start + 1
            while end < count, self[end].word.high & mask == word { end += 1 }
            if end - start > 1 { self[start..<end].sort(by: Entry.precedes) }
            start = end
        }
    }

    /// Returns the shifts to the first three bytes in which the words differ, the most significant byte first.
    private func telling() -> [UInt64] {
        var (all, none) = (UInt64.max, UInt64.max)
        for entry in self {
            all &= entry.word.high
            none &= ~entry.word.high
        }
        let shifts = stride(from: 56 as UInt64, through: 0, by: -8)
        return Array<UInt64>(shifts.filter { (all | none) >> $0 & 0xFF != 0xFF }.prefix(3))
    }

    /// Sorts the entries into another array by one byte of the words; entries with equal bytes keep their order.
    private func deal(into other: inout [Entry], by shift: UInt64) {
        var places = Array<Int>(repeating: 0, count: 257)
        for entry in self { places[Int(entry.word.high >> shift & 0xFF) + 1] += 1 }
        for byte in 1..<256 { places[byte] += places[byte - 1] }
        for entry in self {
            let byte = Int(entry.word.high >> shift & 0xFF)
            other[places[byte]] = entry
            places[byte] += 1
        }
    }
}
