/// Builds a row: writes the values of its slots one by one.
///
/// ```swift
/// let builder = RowBuilder(entity: 0, key: 7, version: 1, slotCount: 2, tailCapacity: name.utf8.count)
/// builder.write(integer: 42, 0)
/// guard builder.write(text: name, 1) else { … }
/// let row = builder.build()
/// ```
///
/// A builder cannot be copied, and ``build()`` consumes the builder, so no program can change an existing row.
@frozen
public struct RowBuilder: ~Copyable {
    // Not counted, so that a builder writes into a row without retaining it.
    @usableFromInline let row: RowReference

    @inlinable
    init(_ row: RowReference) { self.row = row }

    @inlinable
    deinit { row.release() }

    /// Creates the builder of a row whose slots are all null.
    ///
    /// - Parameters:
    ///   - tailCapacity: the number of bytes for strings, blobs and decimals. It is the sum of the lengths in UTF-8,
    ///     the lengths of the blobs, and ``Row/decimalTailSize`` for each decimal.
    @inlinable
    public init(entity: Int, key: Int64, version: Int64, slotCount: Int, tailCapacity: Int) {
        self.init(
            RowMemory.row(
                entity: Int32(truncatingIfNeeded: entity), key: key, version: version, slotCount: slotCount,
                tailWords: (tailCapacity + 7) >> 3))
        clear()
    }

    /// Writes null into every slot of a new row.
    @inlinable
    func clear() {
        let (words, nullWords) = (row.start.words, row.start.pointee.nullWords)
        for index in 0..<nullWords { words[index] = .max }
        for index in nullWords..<(nullWords + Int(row.start.pointee.slotCount)) { words[index] = 0 }
    }

    /// Creates the builder of a row whose slots are all null, in memory of an arena.
    package init(
        entity: Int, key: Int64, version: Int64, slotCount: Int, tailCapacity: Int, in arena: inout RowArena
    ) {
        self.init(
            arena.row(
                entity: Int32(truncatingIfNeeded: entity), key: key, version: version, slotCount: slotCount,
                tailWords: (tailCapacity + 7) >> 3))
        clear()
    }

    /// Creates the builder of a copy of a row.
    ///
    /// - Parameter room: the number of bytes in the tail in addition to the bytes of the row.
    public init(copying row: borrowing Row, room: Int = 0) {
        self.init(copying: row, key: row.key, tailCapacity: row.tailSize + room)
    }

    /// Creates the builder of a copy of a row with another key.
    ///
    /// - Parameter tailCapacity: the number of bytes in the tail; at least the bytes of the row.
    package init(copying row: borrowing Row, key: Int64, tailCapacity: Int) {
        let head = row.head
        let copy = RowMemory.row(
            entity: head.entity, key: key, version: head.version, slotCount: Int(head.slotCount),
            tailWords: (max(tailCapacity, Int(head.tailUsed)) + 7) >> 3)
        copy.start.pointee.tailUsed = head.tailUsed
        row.reading { _, words in
            copy.start.words.update(
                from: words, count: head.nullWords + Int(head.slotCount) + (Int(head.tailUsed) + 7) >> 3)
        }
        self.init(copy)
    }

    /// Whether a slot is null.
    @inlinable
    package func isNull(_ slot: Int) -> Bool { row.lent { $0.isNull(slot) } }

    /// Returns the finished row.
    @inlinable
    public consuming func build() -> Row {
        let built = row.taken()
        discard self
        return built
    }

    /// Ends the builder of an existing row, which another owner releases.
    @inlinable
    consuming func end() { discard self }
}
