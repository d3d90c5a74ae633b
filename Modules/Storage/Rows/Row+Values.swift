import Foundation

/// Creates rows from lists of values, and compares the slots of two rows.
extension Row {
    /// The number of used bytes in the tail, including the bytes of overwritten values.
    public var tailSize: Int { Int(head.tailUsed) }

    /// Creates a row with the given values, in the order of the slots.
    ///
    /// - Returns: the row; nil if a value does not fit the kind of its column.
    public static func make(
        entity: Int, key: Int64, version: Int64, values: [Value], kinds: [ColumnKind]
    ) -> Row? {
        let builder = RowBuilder(
            entity: entity, key: key, version: version, slotCount: kinds.count,
            tailCapacity: values.reduce(0) { $0 + $1.tailSize }
        )
        for (slot, kind) in kinds.enumerated() where slot < values.count {
            guard builder.write(values[slot], slot, kind) else { return nil }
        }
        return builder.build()
    }

    /// Whether two slots of the same kind, in two rows, hold the same value.
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
    /// The number of bytes that the value takes in the tail of a row.
    public var tailSize: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let data): data.count
        case .decimal: Row.decimalTailSize
        default: 0
        }
    }
}
