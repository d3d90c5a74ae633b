import CofferStorage

/// Finds the new rows of an entity whose merges depend on their order; all other rows can be merged in any order.
///
/// Two rows concern each other in three cases. They have the same unique values, another row has the unique values of
/// both, or the merge of one of them may free a value of the other. The results of their merges then depend on their
/// order. Two values with the same hash value count as the same value.
struct PostgreSQLMergeGroups {
    private let entity: EntityLayout
    /// The first of the rows that each value and each other row concerns.
    private var concerned: [Concern: Int] = [:]
    /// Whether each row concerns another row.
    private(set) var isDependent: [Bool]

    private enum Concern: Hashable {
        /// The hash value of the values of a constraint.
        case values(Int)
        /// The key of another row.
        case row(Int64)
    }

    /// - Parameters:
    ///   - rows: at least one row, all of one entity.
    ///   - holders: the other rows that have unique values of each row.
    init(_ rows: [Row], _ holders: [[PostgreSQLMerger.Holder]], _ layout: ModelLayout) {
        entity = layout.entities[rows.first?.entity ?? 0]
        isDependent = Array(repeating: false, count: rows.count)
        for (index, row) in rows.enumerated() { addValues(of: row, index) }
        for (index, holders) in holders.enumerated() {
            for holder in holders {
                add(.row(holder.row.key), index)
                addValues(of: holder.row, index)
            }
        }
    }

    private mutating func addValues(of row: Row, _ index: Int) {
        for constraint in entity.uniqueConstraints.indices {
            if let hash = hash(constraint, of: row) { add(.values(hash), index) }
        }
    }

    private mutating func add(_ concern: Concern, _ index: Int) {
        guard let other = concerned[concern] else { return concerned[concern] = index }
        guard other != index else { return }
        isDependent[index] = true
        isDependent[other] = true
    }

    /// Returns the hash value of the values of a constraint; nil if one of them is null.
    private func hash(_ constraint: Int, of row: Row) -> Int? {
        var hasher = Hasher()
        hasher.combine(constraint)
        for slot in entity.uniqueConstraints[constraint] {
            guard !row.isNull(slot) else { return nil }
            switch entity.kinds[slot] {
            case .integer, .reference: hasher.combine(row.integer(slot))
            case .boolean: hasher.combine(row.boolean(slot))
            case .double, .date: hasher.combine(row.double(slot))
            case .decimal: hasher.combine(row.decimal(slot))
            case .text, .blob:
                row.withBytes(slot) { bytes in
                    hasher.combine(bytes.count)
                    hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
                }
            }
        }
        return hasher.finalize()
    }
}
