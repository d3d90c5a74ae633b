// Sendable: only a `RowBuilder`, before the row exists, or `RowReference.edit`, with the only reference to the memory,
// writes the memory.
/// A stored row: immutable, reference-counted and packed, with at most 65,535 slots.
///
/// A row consists of a header, a bit for each slot that is 1 for null, eight bytes for each slot, and a tail with the
/// bytes of strings, blobs and decimals. Values are decoded when they are read, so a row needs at most one allocation
/// for any number of columns. The row's ``EntityLayout`` defines the attribute or relationship of each slot.
///
/// Rows that are read together share allocations of up to 16 KiB. Such an allocation lives as long as one of its rows.
///
/// ``make(entity:key:version:values:kinds:)`` creates a row of values. A ``RowBuilder`` writes the slots one by one.
public struct Row: @unchecked Sendable {
    @usableFromInline let memory: RowMemory
    /// The header of the row, within the memory.
    @usableFromInline let start: UnsafeMutablePointer<RowHeader>

    @inlinable
    init(_ memory: RowMemory, _ start: UnsafeMutablePointer<RowHeader>) {
        self.memory = memory
        self.start = start
    }

    @inlinable
    var head: RowHeader { withExtendedLifetime(memory) { start.pointee } }

    /// The primary key, unique among the rows of the entity's root.
    @inlinable
    public var key: Int64 { head.key }
    /// The number of commits that have changed the row, beginning with 1.
    ///
    /// If a commit finds another version than the version of its base, it keeps the columns that it does not write, and
    /// returns the resulting row: ``CommitResult/refreshed``.
    @inlinable
    public var version: Int64 { head.version }
    /// The index in the model of the row's own entity, which is not abstract.
    @inlinable
    public var entity: Int { Int(head.entity) }
    /// The number of slots.
    @inlinable
    public var slotCount: Int { Int(head.slotCount) }

    /// The maximum number of slots of a row.
    static var slotLimit: Int { Int(UInt16.max) }

    /// The number of bytes that a decimal takes in the tail.
    public static var decimalTailSize: Int { 24 }
}

/// The fixed part of a ``Row``, before its words.
@usableFromInline
struct RowHeader {
    @usableFromInline var key: Int64
    @usableFromInline var version: Int64
    @usableFromInline var entity: Int32
    @usableFromInline let slotCount: UInt16
    /// The distance of the header from the start of its ``RowMemory``, in units of eight bytes.
    @usableFromInline let place: UInt16
    @usableFromInline var tailUsed: UInt32
    @usableFromInline let tailCapacity: UInt32

    @inlinable
    init(
        key: Int64, version: Int64, entity: Int32, slotCount: UInt16, place: UInt16, tailUsed: UInt32,
        tailCapacity: UInt32
    ) {
        self.key = key
        self.version = version
        self.entity = entity
        self.slotCount = slotCount
        self.place = place
        self.tailUsed = tailUsed
        self.tailCapacity = tailCapacity
    }

    /// The number of words with the bits for null, which precede the slots.
    @inlinable var nullWords: Int { (Int(slotCount) &+ 63) >> 6 }
}

extension UnsafeMutablePointer<RowHeader> {
    /// The words of the row: the bits for null, the slots, and the tail.
    @inlinable var words: UnsafeMutablePointer<UInt64> {
        UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: UInt64.self)
    }
}
