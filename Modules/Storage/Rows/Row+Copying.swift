import Foundation

extension Row {
    /// The bytes of the tail that are in use, those of overwritten values included.
    public var tailSize: Int { Int(head.tailUsed) }

    /// The bytes the tail has room for.
    public var tailCapacity: Int { Int(head.tailCapacity) }

    /// A copy with the same content and room for more bytes in the tail.
    public func roomier(by extra: Int) -> Row {
        instance(key: key, tailCapacity: tailSize + extra)
    }

    /// A copy with another key.
    ///
    /// - Parameter tailCapacity: at least ``tailSize``.
    public func instance(key: Int64, tailCapacity: Int) -> Row {
        buffer.withUnsafeMutablePointers { header, words in
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
            return Row(unsafeDowncast(copy, to: RowBuffer.self))
        }
    }

    /// A row with the given values, in slot order.
    ///
    /// - Returns: nil when a value does not fit its column's kind.
    public static func make(
        entity: Int, key: Int64, version: Int64, values: [Value], kinds: [ColumnKind]
    ) -> Row? {
        let row = make(
            entity: entity, key: key, version: version, slotCount: kinds.count,
            tailCapacity: values.reduce(0) { $0 + $1.tailSize }
        )
        for (slot, kind) in kinds.enumerated() where slot < values.count {
            guard row.write(values[slot], slot, kind) else { return nil }
        }
        return row
    }

    /// Writes a slot with what the same slot of another row holds.
    ///
    /// - Returns: false when there is no room in the tail.
    @discardableResult
    public func copy(_ slot: Int, _ kind: ColumnKind, from other: Row) -> Bool {
        guard !other.isNull(slot) else {
            writeNull(slot)
            return true
        }
        switch kind {
        case .text, .blob, .decimal: return other.withBytes(slot) { write(bytes: UnsafeRawBufferPointer($0), slot) }
        case .integer, .date, .reference, .boolean, .double:
            writeWord(other.word(slot), slot)
            return true
        }
    }

    /// Writes a slot with what a slot of the same kind, of another row, holds.
    ///
    /// - Returns: false when there is no room in the tail.
    @discardableResult
    package func copy(_ slot: Int, _ kind: ColumnKind, from other: Row, _ otherSlot: Int) -> Bool {
        guard !other.isNull(otherSlot) else {
            writeNull(slot)
            return true
        }
        if kind.isInTail { return other.withBytes(otherSlot) { write(bytes: UnsafeRawBufferPointer($0), slot) } }
        writeWord(other.word(otherSlot), slot)
        return true
    }

    /// Whether two slots of the same kind, of two rows, hold the same value.
    package func hasSameValue(_ slot: Int, _ kind: ColumnKind, as other: Row) -> Bool {
        let isNull = isNull(slot)
        if isNull || other.isNull(slot) { return isNull && other.isNull(slot) }
        switch kind {
        case .integer, .reference, .boolean: return word(slot) == other.word(slot)
        case .double, .date: return double(slot) == other.double(slot)
        case .decimal: return decimal(slot) == other.decimal(slot)
        case .text, .blob:
            return withBytes(slot) { a in
                other.withBytes(slot) { b in ByteOrder.compare(a, b) == .orderedSame }
            }
        }
    }
}

extension Value {
    /// The bytes the value takes in the tail of a row.
    public var tailSize: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        case .decimal: Row.decimalTailSize
        default: 0
        }
    }
}
