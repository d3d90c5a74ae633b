// Sendable: written only by its maker, before it is shared; immutable from then on.
/// One stored row: an immutable, reference-counted, packed allocation.
///
/// A row is a header, a bit per slot that says "null", eight bytes per slot, and a tail that holds the bytes of text,
/// blobs and decimals. Values are decoded when they are read, so a row costs one allocation however many columns it
/// has. Which slot holds what is told by the row's ``EntityLayout``.
///
/// A store makes rows with ``make(entity:key:version:slotCount:tailCapacity:)`` and the `write` methods, and never
/// changes a row once it has handed it out.
public struct Row: @unchecked Sendable {
    @usableFromInline let buffer: RowBuffer

    @inlinable
    init(_ buffer: RowBuffer) {
        self.buffer = buffer
    }

    // Not `buffer.header`, whose every access is checked for exclusivity at run time.
    @inlinable
    var head: RowHeader { buffer.withUnsafeMutablePointerToHeader { $0.pointee } }

    /// The primary key, unique among the rows of the entity's root.
    @inlinable
    public var key: Int64 { head.key }
    /// Counts the commits that changed the row, from 1.
    ///
    /// A commit that finds another version than its base leaves the columns it does not write as they are, and tells
    /// the row as it is then: ``CommitResult/refreshed``.
    @inlinable
    public var version: Int64 { head.version }
    /// The index in the model of the row's own (concrete) entity.
    @inlinable
    public var entity: Int { Int(head.entity) }
    /// The number of slots.
    @inlinable
    public var slotCount: Int { Int(head.slotCount) }

    /// A row whose every slot is null.
    ///
    /// - Parameters:
    ///   - tailCapacity: the room for text, blobs and decimals, in bytes: the sum of the UTF-8 and blob lengths, and
    ///     ``decimalTailSize`` for each decimal.
    @inlinable
    public static func make(
        entity: Int, key: Int64, version: Int64, slotCount: Int, tailCapacity: Int
    ) -> Row {
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
        return Row(unsafeDowncast(buffer, to: RowBuffer.self))
    }

    /// The most slots that a row can have.
    static var slotLimit: Int { Int(UInt16.max) }

    /// The bytes a decimal takes in the tail.
    public static var decimalTailSize: Int { 24 }
}

/// The allocation behind a ``Row``.
@usableFromInline
final class RowBuffer: ManagedBuffer<RowHeader, UInt64> {}

/// The fixed part of a ``Row``.
@usableFromInline
struct RowHeader {
    @usableFromInline var key: Int64
    @usableFromInline var version: Int64
    @usableFromInline var entity: Int32
    @usableFromInline let slotCount: UInt16
    @usableFromInline let nullWords: UInt16
    @usableFromInline var tailUsed: UInt32
    @usableFromInline let tailCapacity: UInt32

    @inlinable
    init(
        key: Int64, version: Int64, entity: Int32, slotCount: UInt16, nullWords: UInt16, tailUsed: UInt32,
        tailCapacity: UInt32
    ) {
        self.key = key
        self.version = version
        self.entity = entity
        self.slotCount = slotCount
        self.nullWords = nullWords
        self.tailUsed = tailUsed
        self.tailCapacity = tailCapacity
    }
}
