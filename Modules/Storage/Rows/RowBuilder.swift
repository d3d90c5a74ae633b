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
    // Unmanaged, so that a builder writes into a row without retaining it.
    @usableFromInline let buffer: Unmanaged<RowBuffer>

    @inlinable
    init(_ buffer: Unmanaged<RowBuffer>) { self.buffer = buffer }

    @inlinable
    deinit { buffer.release() }

    /// Creates the builder of a row whose slots are all null.
    ///
    /// - Parameters:
    ///   - tailCapacity: the number of bytes for strings, blobs and decimals. It is the sum of the lengths in UTF-8,
    ///     the lengths of the blobs, and ``Row/decimalTailSize`` for each decimal.
    @inlinable
    public init(entity: Int, key: Int64, version: Int64, slotCount: Int, tailCapacity: Int) {
        let nullWords = (slotCount + 63) >> 6
        let tailWords = (tailCapacity + 7) >> 3
        let buffer = RowBuffer.create(minimumCapacity: nullWords + slotCount + tailWords) { _ in
            RowHeader(
                key: key, version: version, entity: Int32(truncatingIfNeeded: entity),
                slotCount: UInt16(truncatingIfNeeded: slotCount), nullWords: UInt16(truncatingIfNeeded: nullWords),
                tailUsed: 0, tailCapacity: UInt32(truncatingIfNeeded: tailWords << 3)
            )
        }
        buffer.withUnsafeMutablePointerToElements { words in
            for index in 0..<nullWords { words[index] = .max }
            for index in nullWords..<(nullWords + slotCount) { words[index] = 0 }
        }
        self.init(.passRetained(unsafeDowncast(buffer, to: RowBuffer.self)))
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
        let buffer = row.buffer.withUnsafeMutablePointers { header, words in
            let head = header.pointee
            let fixed = Int(head.nullWords) + Int(head.slotCount)
            let tailWords = (max(tailCapacity, Int(head.tailUsed)) + 7) >> 3
            let copy = RowBuffer.create(minimumCapacity: fixed + tailWords) { _ in
                RowHeader(
                    key: key, version: head.version, entity: head.entity, slotCount: head.slotCount,
                    nullWords: head.nullWords, tailUsed: head.tailUsed,
                    tailCapacity: UInt32(truncatingIfNeeded: tailWords << 3)
                )
            }
            copy.withUnsafeMutablePointerToElements {
                $0.update(from: words, count: fixed + (Int(head.tailUsed) + 7) >> 3)
            }
            return unsafeDowncast(copy, to: RowBuffer.self)
        }
        self.init(.passRetained(buffer))
    }

    /// Whether a slot is null.
    @inlinable
    package func isNull(_ slot: Int) -> Bool { buffer._withUnsafeGuaranteedRef { Row($0).isNull(slot) } }

    /// Returns the finished row.
    @inlinable
    public consuming func build() -> Row {
        let row = Row(buffer.takeRetainedValue())
        discard self
        return row
    }

    /// Ends the builder of an existing row, which another owner releases.
    @inlinable
    consuming func end() { discard self }
}
