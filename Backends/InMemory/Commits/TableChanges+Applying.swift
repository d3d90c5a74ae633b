import CofferStorage

extension TableChanges {
    /// The table with all changes made.
    ///
    /// Entries leave the indexes before the rows change and enter them afterwards: comparing entries may need the rows
    /// they stand for.
    ///
    /// - Throws: `invalidRequest` when an inserted key exists.
    func applied() throws(StorageError) -> Table {
        let changes = changes
        var table = table
        let hasOld = changes.contains { $0.old != nil }
        if hasOld { removeEntries(changes, from: &table) }
        for change in changes where change.new != nil || change.old != nil {
            let replaced = table.rows.set(change.new, change.key)
            if change.old == nil, replaced != nil {
                throw .invalidRequest("The key of an inserted row is in use. Reserve keys from the store.")
            }
        }
        addEntries(changes, to: &table)
        return table
    }

    private func removeEntries(_ changes: [Change], from table: inout Table) {
        for (number, index) in plan.indexes.enumerated() {
            let precedes = index.precedes(table.rows)
            var entries = changes.compactMap { change -> Entry? in
                guard let old = change.old, index.entities.contains(old.entity) else { return nil }
                if let new = change.new, !index.differs(old, new) { return nil }
                return index.entry(old)
            }
            index.sort(&entries, precedes)
            table.indexes[number].remove(sorted: entries, by: precedes)
        }
        for (number, unique) in plan.uniques.enumerated() {
            let entries = changes.compactMap { change -> Entry? in
                guard let old = change.old else { return nil }
                if let new = change.new, unique.isEqual(old, new) { return nil }
                return unique.hash(old).map { Entry(hash: $0, key: old.key) }
            }
            table.uniques[number].remove(sorted: entries.sorted(by: Entry.precedes), by: Entry.precedes)
        }
        for (number, reference) in plan.references.enumerated() {
            let entries = changes.compactMap { change -> Entry? in
                guard let old = change.old, let entry = reference.entry(old) else { return nil }
                if let new = change.new, reference.entry(new) == entry { return nil }
                return entry
            }
            table.references[number].remove(sorted: entries.sorted(by: Entry.precedes), by: Entry.precedes)
        }
    }

    private func addEntries(_ changes: [Change], to table: inout Table) {
        for (number, index) in plan.indexes.enumerated() {
            var entries = changes.compactMap { change -> Entry? in
                guard let new = change.new, index.entities.contains(new.entity) else { return nil }
                if let old = change.old, !index.differs(old, new) { return nil }
                return index.entry(new)
            }
            let precedes = index.precedes(table.rows)
            index.sort(&entries, precedes)
            table.indexes[number].insert(sorted: entries, by: precedes)
        }
        for (number, unique) in plan.uniques.enumerated() {
            let entries = changes.compactMap { change -> Entry? in
                guard let new = change.new else { return nil }
                if let old = change.old, unique.isEqual(old, new) { return nil }
                return unique.hash(new).map { Entry(hash: $0, key: new.key) }
            }
            table.uniques[number].insert(sorted: entries.sorted(by: Entry.precedes), by: Entry.precedes)
        }
        for (number, reference) in plan.references.enumerated() {
            let entries = changes.compactMap { change -> Entry? in
                guard let new = change.new, let entry = reference.entry(new) else { return nil }
                if let old = change.old, reference.entry(old) == entry { return nil }
                return entry
            }
            table.references[number].insert(sorted: entries.sorted(by: Entry.precedes), by: Entry.precedes)
        }
    }
}
