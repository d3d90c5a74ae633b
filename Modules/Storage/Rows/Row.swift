// Sendable: the buffer is written by a `RowBuilder`, which ends as the row, or by `RowReference.edit` while nothing else
// has the buffer.
/// One stored row: an immutable, reference-counted, packed allocation.
///
/// A row is a header, a bit per slot that says "null", eight bytes per slot, and a tail that holds the bytes of text,
/// blobs and decimals. Values are decoded when they are read, so a row costs one allocation however many columns it
/// has. Which slot holds what is told by the row's ``EntityLayout``.
///
/// ``make(entity:key:version:values:kinds:)`` creates a row of values. A ``RowBuilder`` writes the slots one by one.
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
