/// The memory of one ``Row``, or of several rows side by side.
///
/// The first row has the header of the buffer as its own header.
@usableFromInline
final class RowMemory: ManagedBuffer<RowHeader, UInt64> {
    /// Allocates memory for one row.
    ///
    /// - Parameter tailWords: the number of words in the tail.
    /// - Returns: a reference to the row, which the caller releases. The words of the row are not initialised.
    @inlinable
    @inline(__always)
    static func row(
        entity: Int32, key: Int64, version: Int64, slotCount: Int, tailWords: Int
    ) -> RowReference {
        let memory = create(minimumCapacity: (slotCount &+ 63) >> 6 &+ slotCount &+ tailWords) { memory in
            let place = memory.withUnsafeMutablePointerToHeader { header in
                UnsafeRawPointer(header) - UnsafeRawPointer(Unmanaged.passUnretained(memory).toOpaque())
            }
            return RowHeader(
                key: key, version: version, entity: entity, slotCount: UInt16(truncatingIfNeeded: slotCount),
                place: UInt16(truncatingIfNeeded: place >> 3), tailUsed: 0,
                tailCapacity: UInt32(truncatingIfNeeded: tailWords << 3))
        }
        let start = memory.withUnsafeMutablePointerToHeader { $0 }
        _ = Unmanaged.passRetained(memory)
        return RowReference(start)
    }
}
