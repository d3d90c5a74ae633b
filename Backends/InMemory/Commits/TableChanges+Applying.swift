import CofferStorage

extension TableChanges {
    /// Entries to take out of or put into each index of a table.
    private struct Entries {
        var indexes: [[Entry]]
        var uniques: [[Entry]]
        var references: [[Entry]]

        init(_ plan: TablePlan, capacity: Int) {
            let none = { (_: Any) in
                var entries: [Entry] = []
                entries.reserveCapacity(capacity)
                return entries
            }
            indexes = plan.indexes.map(none)
            uniques = plan.uniques.map(none)
            references = plan.references.map(none)
        }

        /// Notes the entries of a row that another version of the row does not have.
        mutating func add(_ row: Row, without other: Row?, _ plan: TablePlan) {
            for (number, index) in plan.indexes.enumerated() where index.entities.contains(row.entity) {
                if let other, !index.differs(row, other) { continue }
                indexes[number].append(index.entry(row))
            }
            for (number, unique) in plan.uniques.enumerated() {
                if let other, unique.isEqual(row, other) { continue }
                if let hash = unique.hash(row) { uniques[number].append(Entry(hash: hash, key: row.key)) }
            }
            for (number, reference) in plan.references.enumerated() {
                guard let entry = reference.entry(row) else { continue }
                if let other, reference.entry(other) == entry { continue }
                references[number].append(entry)
            }
        }

        mutating func sort(_ plan: TablePlan, _ rows: RowMap) {
            for (number, index) in plan.indexes.enumerated() { index.sort(&indexes[number], index.precedes(rows)) }
            for number in uniques.indices { uniques[number].sortByWords() }
            for number in references.indices { references[number].sortByWords() }
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
        for (number, index) in plan.indexes.enumerated() {
            table.indexes[number].remove(sorted: removed.indexes[number], by: index.precedes(before))
            table.indexes[number].insert(sorted: added.indexes[number], by: index.precedes(rows))
        }
        for number in plan.uniques.indices {
            table.uniques[number].remove(sorted: removed.uniques[number], by: Entry.precedes)
            table.uniques[number].insert(sorted: added.uniques[number], by: Entry.precedes)
        }
        for number in plan.references.indices {
            table.references[number].remove(sorted: removed.references[number], by: Entry.precedes)
            table.references[number].insert(sorted: added.references[number], by: Entry.precedes)
        }
        return table
    }
}
