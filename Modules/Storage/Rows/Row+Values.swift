import Foundation

extension Row {
    /// The bytes of the tail that are in use, those of overwritten values included.
    public var tailSize: Int { Int(head.tailUsed) }

    /// A row with the given values, in slot order.
    ///
    /// - Returns: nil when a value does not fit its column's kind.
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
