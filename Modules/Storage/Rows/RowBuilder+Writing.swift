public import Foundation

/// Writes values into the slots of a new row.
///
/// If the tail has not enough room, a method that needs room returns false, and changes nothing.
extension RowBuilder {
    /// Writes null into a slot.
    @inlinable
    @inline(__always)
    public func writeNull(_ slot: Int) {
        row.start.words[slot >> 6] |= 1 << UInt64(slot & 63)
    }

    @inlinable
    @inline(__always)
    func set(_ word: UInt64, _ slot: Int) {
        let words = row.start.words
        words[slot >> 6] &= ~(1 << UInt64(truncatingIfNeeded: slot & 63))
        words[row.start.pointee.nullWords &+ slot] = word
    }

    /// Writes an `integer` or `reference` slot.
    @inlinable
    @inline(__always)
    public func write(integer: Int64, _ slot: Int) { set(UInt64(bitPattern: integer), slot) }

    /// Writes a double, or the seconds of a date, into a slot.
    ///
    /// A negative zero is written as zero, because not every store keeps the sign (`values/zero-has-no-sign`).
    @inlinable
    @inline(__always)
    public func write(double: Double, _ slot: Int) { set((double + 0).bitPattern, slot) }

    /// Writes a boolean into a slot.
    @inlinable
    @inline(__always)
    public func write(boolean: Bool, _ slot: Int) { set(boolean ? 1 : 0, slot) }

    /// Writes the bytes of a `text` (as UTF-8) or `blob` slot.
    ///
    /// If the new bytes are no more than the slot's former bytes, the row overwrites them. Otherwise the new bytes take
    /// new room in the tail. Write such a slot with bytes only: a number would be interpreted as the place of the
    /// former bytes.
    @inlinable
    public func write(bytes: UnsafeRawBufferPointer, _ slot: Int) -> Bool {
        let (header, words) = (row.start, row.start.words)
        let nullWords = header.pointee.nullWords
        let tail = UnsafeMutableRawPointer(words + nullWords + Int(header.pointee.slotCount))
        let used = Int(header.pointee.tailUsed)
        let isNull = words[slot >> 6] >> UInt64(slot & 63) & 1 == 1
        let former = words[nullWords + slot]
        var start = Int(former & 0xffff_ffff)
        let formerCount = Int(former >> 32)
        if isNull || bytes.count > formerCount || start + formerCount > used {
            guard used + bytes.count <= Int(header.pointee.tailCapacity) else { return false }
            start = used
            header.pointee.tailUsed = UInt32(used + bytes.count)
        }
        if let source = bytes.baseAddress { (tail + start).copyMemory(from: source, byteCount: bytes.count) }
        words[slot >> 6] &= ~(1 << UInt64(slot & 63))
        words[nullWords + slot] = UInt64(start) | UInt64(bytes.count) << 32
        return true
    }

    /// Writes a string into a slot; false if the tail has no room for it.
    @inlinable
    public func write(text: String, _ slot: Int) -> Bool {
        var text = text
        return text.withUTF8 { write(bytes: UnsafeRawBufferPointer($0), slot) }
    }

    /// Writes bytes into a slot; false if the tail has no room for them.
    @inlinable
    public func write(blob: Data, _ slot: Int) -> Bool { blob.withUnsafeBytes { write(bytes: $0, slot) } }

    /// Writes a decimal into a slot; false if the tail has no room for it.
    public func write(decimal: Decimal, _ slot: Int) -> Bool {
        var padded: (Decimal, UInt32) = (decimal, 0)
        return withUnsafeBytes(of: &padded) {
            write(bytes: UnsafeRawBufferPointer(rebasing: $0.prefix(Row.decimalTailSize)), slot)
        }
    }

    /// Writes a value whose case fits the slot's kind; integers and booleans also fit `double` slots.
    ///
    /// - Returns: false if there is no room in the tail, or if the value does not fit the kind.
    public func write(_ value: Value, _ slot: Int, _ kind: ColumnKind) -> Bool {
        switch (kind, value) {
        case (_, .null): writeNull(slot)
        case (.integer, .integer(let number)), (.reference, .integer(let number)):
            write(integer: number, slot)
        case (.reference, .object(let id)): write(integer: id.key, slot)
        case (.double, .double(let number)), (.date, .date(let number)): write(double: number, slot)
        case (.double, .integer(let number)): write(double: Double(number), slot)
        case (.boolean, .boolean(let flag)): write(boolean: flag, slot)
        case (.decimal, .decimal(let number)): return write(decimal: number, slot)
        case (.text, .text(let text)): return write(text: text, slot)
        case (.blob, .blob(let data)): return write(blob: data, slot)
        default: return false
        }
        return true
    }

    /// Copies the value of the same slot of a row.
    ///
    /// - Returns: false if there is no room in the tail.
    @discardableResult
    public func copy(_ slot: Int, _ kind: ColumnKind, from row: Row) -> Bool { copy(slot, kind, from: row, slot) }

    /// Copies the value of another slot of a row, which has the same kind.
    ///
    /// - Returns: false if there is no room in the tail.
    @discardableResult
    package func copy(_ slot: Int, _ kind: ColumnKind, from row: Row, _ rowSlot: Int) -> Bool {
        if row.isNull(rowSlot) {
            writeNull(slot)
        } else if kind.isInTail {
            return row.withBytes(rowSlot) { write(bytes: UnsafeRawBufferPointer($0), slot) }
        } else {
            set(row.word(rowSlot), slot)
        }
        return true
    }

    /// Sets the version of the row.
    @inlinable
    public func write(version: Int64) { row.start.pointee.version = version }
}
