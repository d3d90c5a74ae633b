/// Allocates rows that are read one after the other, many of them in one allocation.
///
/// The first 16 rows have allocations of their own, so that few rows do not keep a large allocation alive. The next
/// rows share allocations, of 2 KiB at first and of up to 16 KiB. An allocation lives as long as one of its rows. It is
/// small, because a program may keep one of many rows for a long time.
///
/// The measurements are in `docs/decisions/0058-shared-allocations.md`.
@frozen
@usableFromInline
package struct RowArena: ~Copyable {
    /// The memory with room for more rows.
    @usableFromInline var memory: RowMemory?
    /// The place of the next row in the memory.
    @usableFromInline var next: UnsafeMutableRawPointer
    /// The number of bytes after the place.
    @usableFromInline var room = 0
    @usableFromInline var singleRows = 0
    @usableFromInline var size = 1024

    @usableFromInline static var singleRowLimit: Int { 16 }
    private static var sizeLimit: Int { 16_384 }
    /// A larger row has its own allocation.
    private static var rowSizeLimit: Int { 1_024 }

    package init() {
        memory = nil
        next = UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped
    }

    /// Forgets the memory; rows that were allocated keep theirs.
    package mutating func clear() {
        memory = nil
        room = 0
        singleRows = 0
        size = 1024
    }

    /// Allocates a row.
    ///
    /// - Returns: a reference to the row, which the caller releases. The words of the row are not initialised.
    @inlinable
    @inline(__always)
    mutating func row(
        entity: Int32, key: Int64, version: Int64, slotCount: Int, tailWords: Int
    ) -> RowReference {
        let words = (slotCount &+ 63) >> 6 &+ slotCount &+ tailWords
        let size = MemoryLayout<RowHeader>.stride &+ words &* 8
        guard size <= room || (singleRows >= Self.singleRowLimit && makeRoom(size)), let memory else {
            singleRows &+= 1
            return RowMemory.row(
                entity: entity, key: key, version: version, slotCount: slotCount, tailWords: tailWords)
        }
        let object = Unmanaged.passRetained(memory).toOpaque()
        let start = next.assumingMemoryBound(to: RowHeader.self)
        start.initialize(
            to: RowHeader(
                key: key, version: version, entity: entity, slotCount: UInt16(truncatingIfNeeded: slotCount),
                place: UInt16(truncatingIfNeeded: (next - object) >> 3), tailUsed: 0,
                tailCapacity: UInt32(truncatingIfNeeded: tailWords << 3)))
        next += size
        room &-= size
        return RowReference(start)
    }

    /// Allocates memory for more rows.
    ///
    /// - Returns: false if the row is too large to share it.
    @usableFromInline
    @inline(never)
    mutating func makeRoom(_ rowSize: Int) -> Bool {
        guard rowSize <= Self.rowSizeLimit else { return false }
        size = min(size * 2, Self.sizeLimit)
        // With its header and the header of the C library, the object has at most this size.
        let wordCount = (size - MemoryLayout<RowHeader>.stride - 32) / 8
        let buffer = RowMemory.create(minimumCapacity: wordCount) { _ in
            RowHeader(key: 0, version: 0, entity: 0, slotCount: 0, place: 0, tailUsed: 0, tailCapacity: 0)
        }
        next = buffer.withUnsafeMutablePointerToHeader { UnsafeMutableRawPointer($0) }
        room = MemoryLayout<RowHeader>.stride + wordCount * 8
        memory = unsafeDowncast(buffer, to: RowMemory.self)
        return true
    }
}
