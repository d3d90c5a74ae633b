import CofferStorage

extension TableChanges {
    /// Entries to take out of or put into each tree of a table, in the order of ``Table/trees``.
    private struct Entries {
        var lists: [[Entry]]

        init(_ plan: TablePlan, capacity: Int) {
            lists = Array(repeating: [], count: plan.treeCount)
            guard capacity > 0 else { return }
            for number in lists.indices { lists[number].reserveCapacity(capacity) }
        }

        /// Notes the entries of a row that another version of the row does not have.
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

    /// The table with all changes made.
    ///
    /// One pass over the rows, which are scattered in memory, and then one over each index. Comparing entries may need
    /// the rows they stand for: those of before while entries leave, those of after while entries come.
    ///
    /// - Throws: `invalidRequest` when an inserted key exists.
    func applied() throws(StorageError) -> Table {
        let (plan, before) = (plan, table.rows)
        var editor = RowMapEditor(before)
        var (leaving, coming) = (0, 0)
        for change in changes where change.isIndexed {
            if change.old != nil { leaving += 1 }
            if change.new != nil { coming += 1 }
        }
        var removed = Entries(plan, capacity: leaving)
        var added = Entries(plan, capacity: coming)
        for change in changes {
            if change.isIndexed {
                if let old = change.old { removed.add(old, without: change.new, plan) }
                if let new = change.new { added.add(new, without: change.old, plan) }
            }
            guard change.new != nil || change.old != nil else { continue }
            let replaced = editor.set(change.new, change.key)
            if change.old == nil, replaced != nil {
                throw .invalidRequest("The key of an inserted row is in use. Reserve keys from the store.")
            }
        }
        let rows = editor.map
        removed.sort(plan, before)
        added.sort(plan, rows)
        var table = table
        table.rows = rows
        for number in table.trees.indices {
            table.trees[number].remove(sorted: removed.lists[number], by: plan.order(number, before))
            table.trees[number].insert(sorted: added.lists[number], by: plan.order(number, rows))
        }
        return table
    }
}
