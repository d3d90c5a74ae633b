/// The memory of a row under construction, for code that writes each slot once.
@frozen
@usableFromInline
package struct RowSlots {
    /// A bit for each slot, 64 in each word, which is 1 for null.
    @usableFromInline package let nulls: UnsafeMutablePointer<UInt64>
    /// The words of the slots.
    @usableFromInline package let words: UnsafeMutablePointer<UInt64>
    /// The bytes of strings and blobs.
    @usableFromInline package let tail: UnsafeMutableRawPointer

    @inlinable
    @inline(__always)
    init(nulls: UnsafeMutablePointer<UInt64>, words: UnsafeMutablePointer<UInt64>, tail: UnsafeMutableRawPointer) {
        self.nulls = nulls
        self.words = words
        self.tail = tail
    }

    /// The word of a slot whose bytes lie in the tail.
    @inlinable
    @inline(__always)
    package static func word(start: Int, count: Int) -> UInt64 {
        UInt64(truncatingIfNeeded: start) | UInt64(truncatingIfNeeded: count) << 32
    }
}

extension RowBuilder {
    /// Creates the builder of a row whose slots the closure writes.
    ///
    /// - Parameters:
    ///   - tailCapacity: the number of bytes in the tail.
    ///   - arena: allocates the row.
    ///   - write: writes the word of each slot and every word of the bits, and returns the number of bytes that it
    ///     wrote to the tail.
    @inlinable
    @inline(__always)
    package init(
        entity: Int, key: Int64, version: Int64, slotCount: Int, tailCapacity: Int, in arena: inout RowArena,
        writing write: (RowSlots) -> Int
    ) {
        let row = arena.row(
            entity: Int32(truncatingIfNeeded: entity), key: key, version: version, slotCount: slotCount,
            tailWords: (tailCapacity &+ 7) >> 3)
        let words = row.start.words
        let nullWords = (slotCount &+ 63) >> 6
        let slots = RowSlots(
            nulls: words, words: words + nullWords, tail: UnsafeMutableRawPointer(words + (nullWords &+ slotCount)))
        row.start.pointee.tailUsed = UInt32(truncatingIfNeeded: write(slots))
        self.init(row)
    }
}
