import CofferStorage

/// Collects the index entries that a commit adds to or removes from each tree of a table.
///
/// The lists are in the order of ``Table/trees``.
struct TreeEntries {
    var lists: [[Entry]]

    init(_ plan: TablePlan, capacity: Int) {
        lists = Array(repeating: [], count: plan.treeCount)
        reserve(capacity)
    }

    /// Reserves space for a number of further entries in each list.
    mutating func reserve(_ count: Int) {
        guard count > 0 else { return }
        for number in lists.indices { lists[number].reserveCapacity(lists[number].count + count) }
    }

    /// Adds the entries of a row that another version of the row does not have.
    mutating func add(_ row: Row, without other: Row?, _ plan: TablePlan) {
        var number = 0
        for index in plan.indexes {
            if index.entities.contains(row.entity), other.map({ index.differs(row, $0) }) ?? true {
                lists[number].append(index.entry(row))
            }
            number += 1
        }
        for unique in plan.uniques {
            if other.map({ !unique.isEqual(row, $0) }) ?? true, let hash = unique.hash(row) {
                lists[number].append(Entry(hash: hash, key: row.key))
            }
            number += 1
        }
        for reference in plan.references {
            if let entry = reference.entry(row), other.map({ reference.entry($0) != entry }) ?? true {
                lists[number].append(entry)
            }
            number += 1
        }
    }

    mutating func sort(_ plan: TablePlan, _ rows: RowMap) {
        for number in lists.indices where lists[number].count > 1 {
            if number < plan.indexes.count {
                plan.indexes[number].sort(&lists[number], plan.order(number, rows))
            } else {
                lists[number].sortByWords()
            }
        }
    }
}
