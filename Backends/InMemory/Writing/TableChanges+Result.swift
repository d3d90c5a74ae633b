import CofferStorage

/// Writes the changed rows of a commit into the table and updates the indexes.
extension TableChanges {
    /// Returns the table with all changes.
    ///
    /// The method passes once over the rows, and then once over each tree. A comparison of entries may need their
    /// rows. These are the old rows while entries are removed, and the new rows while entries are added.
    ///
    /// - Throws: `invalidRequest` if the key of an inserted row exists.
    func applied() throws(StorageError) -> Table {
        let (plan, before) = (plan, table.rows)
        var editor = RowMapEditor(before)
        var (leaving, coming) = (0, 0)
        for change in changes where change.isIndexed {
            if change.old != nil { leaving += 1 }
            if change.new != nil { coming += 1 }
        }
        var removed = TreeEntries(plan, capacity: leaving)
        var added = takeFresh()
        added.reserve(coming)
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
