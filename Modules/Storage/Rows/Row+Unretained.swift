/// Reads a row without retaining it, which saves two atomic operations.
extension Row {
    /// Whether the slot exists and is not null.
    @inlinable
    package func holds(_ slot: Int) -> Bool { slot < slotCount && !isNull(slot) }

    /// A bit for each of the first 64 slots; the bit is 1 if the slot is null.
    @inlinable
    package var nullWord: UInt64 { slotCount == 0 ? 0 : reading { $1[0] } }

    /// Calls the closure with the row at an address; another reference must keep the row alive during the call.
    @inlinable
    package static func withUnretained<Result>(
        _ address: UnsafePointer<Row>, _ body: (Row) -> Result
    ) -> Result {
        let (memory, start) = UnsafeRawPointer(address)
            .load(as: (Unmanaged<RowMemory>, UnsafeMutablePointer<RowHeader>).self)
        return memory._withUnsafeGuaranteedRef { body(Row($0, start)) }
    }

    /// Whether the bytes of a `text`, `blob` or `decimal` slot lie within the row.
    ///
    /// The result is false for a slot that was written as another kind.
    package func isTailSlotSound(_ slot: Int) -> Bool {
        let word = word(slot)
        return Int(word & 0xFFFF_FFFF) + Int(word >> 32) <= tailSize
    }
}
