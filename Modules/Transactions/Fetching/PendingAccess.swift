import CofferEvaluation
import CofferStorage
import CofferStorageTools

/// An access to the pending objects that a condition may match, without evaluating all of them.
enum PendingAccess {
    /// By keys of a key space.
    case keys(UInt32, [Int64])
    /// By equal values of a column.
    case values(PendingColumn, [Value])
    /// By a range of a column's values.
    case range(PendingColumn, WordRange)
    /// By any of several ways.
    indirect case any([PendingAccess])

    /// Whether the objects of the access are found without a sorted list of a column.
    var isExact: Bool {
        switch self {
        case .keys, .values: true
        case .range: false
        case .any(let parts): parts.allSatisfy(\.isExact)
        }
    }
}

/// Finds the accesses to the pending objects of a request.
struct PendingAccessPlanner {
    let entity: Int
    let storage: UInt32
    /// With a longer list of values, evaluating each object costs less.
    let valueLimit: Int

    /// Returns the accesses for a condition, each of which finds all objects that fulfil the condition.
    func accesses(_ predicate: RowPredicate) -> [PendingAccess] {
        var accesses: [PendingAccess] = []
        var ranges: [PendingColumn: WordRange] = [:]
        for part in conjuncts(predicate) {
            if let (column, range) = range(part) {
                ranges[column] = ranges[column].map { $0.intersection(range) } ?? range
            } else if let access = access(part) {
                accesses.append(access)
            }
        }
        return accesses + ranges.map { .range($0.key, $0.value) }
    }

    private func conjuncts(_ predicate: RowPredicate) -> [RowPredicate] {
        if case .and(let parts) = predicate { return parts.flatMap(conjuncts) }
        return [predicate]
    }

    private func column(_ slot: Int, _ kind: ColumnKind) -> PendingColumn {
        PendingColumn(storage: storage, entity: entity, slot: slot, kind: kind)
    }

    private func access(_ predicate: RowPredicate) -> PendingAccess? {
        switch predicate {
        case .compare(.key, .equal, .value(.integer(let key))), .compare(.value(.integer(let key)), .equal, .key):
            return .keys(storage, [key])
        case .isIn(.key, let values): return keys(values).map { .keys(storage, $0) }
        case .compare(.column(let slot, let kind), .equal, .value(let value)),
            .compare(.value(let value), .equal, .column(let slot, let kind)):
            return self.values(slot, kind, [value])
        case .isIn(.column(let slot, let kind), let values): return self.values(slot, kind, values)
        case .or(let parts): return any(parts)
        default: return nil
        }
    }

    /// Returns the first access for each alternative; nil if one of them has no access.
    private func any(_ parts: [RowPredicate]) -> PendingAccess? {
        var accesses: [PendingAccess] = []
        for part in parts {
            let found = self.accesses(part)
            guard let access = found.first(where: \.isExact) ?? found.first else { return nil }
            accesses.append(access)
        }
        return .any(accesses)
    }

    private func keys(_ values: [Value]) -> [Int64]? {
        guard values.count <= valueLimit else { return nil }
        let keys = values.compactMap { if case .integer(let key) = $0 { key } else { nil } }
        return keys.count == values.count ? keys : nil
    }

    private func values(_ slot: Int, _ kind: ColumnKind, _ values: [Value]) -> PendingAccess? {
        guard values.count <= valueLimit else { return nil }
        let keys = values.compactMap { if case (.reference, .integer) = (kind, $0) { $0 } else { $0.key(kind) } }
        return keys.count == values.count ? .values(column(slot, kind), keys) : nil
    }

    private func range(_ predicate: RowPredicate) -> (PendingColumn, WordRange)? {
        switch predicate {
        case .compare(.column(let slot, let kind), let comparison, .value(let value)):
            range(slot, kind, comparison, value)
        case .compare(.value(let value), let comparison, .column(let slot, let kind)):
            range(slot, kind, comparison.mirrored, value)
        case .text(.column(let slot, .text), .beginsWith, .value(.text(let prefix)), let options)
        where options.isEmpty:
            (column(slot, .text), Self.range(ofPrefix: prefix))
        default: nil
        }
    }

    private func range(
        _ slot: Int, _ kind: ColumnKind, _ comparison: RowPredicate.Comparison, _ value: Value
    ) -> (PendingColumn, WordRange)? {
        guard kind != .decimal, let word = SortWord(value, as: kind) else { return nil }
        let column = column(slot, kind)
        switch comparison {
        case .equal where value.isNull: return (column, WordRange(word))
        case .equal, .notEqual: return nil
        case .less, .lessOrEqual: return (column, WordRange(lower: WordRange.values.lower, upper: word))
        case .greater, .greaterOrEqual:
            return (column, WordRange(lower: word, upper: WordRange.all.upper).intersection(.values))
        }
    }

    /// The range that contains the words of all strings with a prefix.
    private static func range(ofPrefix prefix: String) -> WordRange {
        let bytes = Array(prefix.utf8)
        // No string in UTF-8 has the byte 255. The word of 16 bytes is the greatest one with the first 15.
        let last = bytes.prefix(15) + Array(repeating: UInt8.max, count: 16 - min(15, bytes.count))
        return WordRange(
            lower: bytes.withUnsafeBufferPointer { SortWord($0) },
            upper: Array(last).withUnsafeBufferPointer { SortWord($0) })
    }
}
