import CofferEvaluation
import CofferStorage
import Foundation

/// Compares rows by the columns of an index, and hashes the values of unique constraints.
extension TablePlan.Index {
    /// Returns the order of two rows by the columns of the index, or by its first columns.
    func compare(_ left: Row, _ right: Row, _ count: Int = .max) -> ComparisonResult {
        for (slot, kind) in columns.prefix(count) {
            let order = left.compare(right, slot, kind)
            if order != .orderedSame { return order }
        }
        return .orderedSame
    }

    /// Whether two rows differ in the columns of the index.
    func differs(_ left: Row, _ right: Row) -> Bool {
        columns.contains { !left.hasSameValue($0.slot, $0.kind, as: right) }
    }
}

extension TablePlan.Unique {
    /// Returns a hash of the row's values; nil if the constraint does not apply to the row.
    ///
    /// Equal values have equal hashes.
    func hash(_ row: Row) -> UInt64? {
        var result: UInt64 = 0
        for (slot, kind) in columns {
            guard row.holds(slot) else { return nil }
            result = ByteHash.combine(result, row.hash(slot, kind))
        }
        return result
    }

    func isEqual(_ left: Row, _ right: Row) -> Bool {
        columns.allSatisfy { left.holds($0.slot) && left.hasSameValue($0.slot, $0.kind, as: right) }
    }
}

extension Row {
    fileprivate func compare(_ other: Row, _ slot: Int, _ kind: ColumnKind) -> ComparisonResult {
        let left = SortWord(self, slot, kind)
        let right = SortWord(other, slot, kind)
        if left != right { return left < right ? .orderedAscending : .orderedDescending }
        if left.isExact { return .orderedSame }
        guard kind != .decimal else { return ValueOrdering.sortOrder(value(slot, kind), other.value(slot, kind)) }
        return withBytes(slot) { a in other.withBytes(slot) { b in ByteOrder.compare(a, b) } }
    }

    fileprivate func hash(_ slot: Int, _ kind: ColumnKind) -> UInt64 {
        switch kind {
        case .integer, .reference: ByteHash.hash(word(slot))
        case .boolean: ByteHash.hash(boolean(slot) ? 1 : 0)
        case .double, .date: ByteHash.hash((double(slot) + 0).bitPattern)
        case .text, .blob: withBytes(slot) { ByteHash.hash($0) }
        case .decimal: UInt64(bitPattern: Int64(decimal(slot).hashValue))
        }
    }
}

extension Value {
    /// Returns the hash of a value in a unique constraint; nil if the value does not fit the column.
    func hash(as kind: ColumnKind) -> UInt64? {
        guard let row = Row.make(entity: 0, key: 0, version: 0, values: [self], kinds: [kind]) else { return nil }
        return TablePlan.Unique(columns: [(0, kind)]).hash(row)
    }
}
