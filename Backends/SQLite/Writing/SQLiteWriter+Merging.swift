import CofferCSQLite
import CofferSQL
import CofferStorage

/// Inserts that meet a row with the same unique values.
extension SQLiteWriter {
    /// Lets the row that has the unique values of a new one stand for it, and writes the new values into it where the
    /// policies of the constraints say so.
    func merge(
        _ row: Row, _ changeSet: ChangeSet, _ failure: StorageError
    ) throws(StorageError) -> CommitResult.Merge {
        var matches: [ChangeSet.UniqueMatch] = []
        for constraint in layout.entities[row.entity].uniqueConstraints.indices {
            guard let key = try conflicting(row, constraint), let holder = try self.row(row.entity, key) else {
                continue
            }
            matches.append(.init(constraint: constraint, key: key, entity: holder.entity))
        }
        guard let merge = try changeSet.merge(of: row, matching: matches, layout) else { throw failure }
        if !merge.isKept { try write(row, into: merge.into) }
        return merge
    }

    private func write(_ row: Row, into key: Int64) throws(StorageError) {
        let kinds = layout.entities[row.entity].kinds
        let statement = try connection.statement(
            changes.update(entity: row.entity, slots: Array(kinds.indices), checksVersion: false))
        for (slot, kind) in kinds.enumerated() { try statement.bind(row, slot, kind, Int32(slot + 1)) }
        statement.bind(key, Int32(kinds.count + 1))
        try statement.check(statement.perform())
    }

    /// Makes what refers to a merged row refer to the surviving one, and tells how the survivors are now.
    func redirect(_ result: inout CommitResult) throws(StorageError) {
        var changed: Set<RowKey> = []
        for merge in result.merges {
            changed.insert(RowKey(root: merge.root, key: merge.into))
            for (entity, column) in schema.references(to: merge.root) {
                let find = try connection.statement(changes.referring(entity: entity, column: column))
                find.bind(merge.from, 1)
                var hasSome = false
                while try find.step() {
                    hasSome = true
                    changed.insert(RowKey(root: layout.entities[entity].root, key: find.integer(0)))
                }
                find.reset()
                guard hasSome else { continue }
                let redirect = try connection.statement(changes.redirect(entity: entity, column: column))
                redirect.bind(merge.into, 1)
                redirect.bind(merge.from, 2)
                try redirect.check(redirect.perform())
            }
        }
        result.refreshed.removeAll { changed.contains(RowKey(root: layout.entities[$0.entity].root, key: $0.key)) }
        for place in changed.sorted(by: { ($0.root, $0.key) < ($1.root, $1.key) }) {
            if let row = try row(place.root, place.key) { result.refreshed.append(row) }
        }
    }

    private struct RowKey: Hashable {
        let root: Int
        let key: Int64
    }

    /// The key of the other row that has a row's values of a constraint; nil where one of the values is null.
    private func conflicting(_ row: Row, _ constraint: Int) throws(StorageError) -> Int64? {
        let slots = layout.entities[row.entity].uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let kinds = layout.entities[row.entity].kinds
        let statement = try connection.statement(changes.conflicting(entity: row.entity, constraint: constraint))
        defer { statement.reset() }
        for (index, slot) in slots.enumerated() { try statement.bind(row, slot, kinds[slot], Int32(index + 1)) }
        while try statement.step() {
            if statement.integer(0) != row.key { return statement.integer(0) }
        }
        return nil
    }

    /// Says which constraint a row breaks.
    func uniqueViolation(of row: Row) -> StorageError {
        let broken = layout.entities[row.entity].uniqueConstraints.indices.filter { constraint in
            guard let key = try? conflicting(row, constraint) else { return false }
            return key != row.key
        }
        return schema.uniqueViolation(row.entity, constraints: Array(broken))
    }

    /// Makes a row that is about to be updated give up its unique values.
    func clearConstraints(_ update: ChangeSet.Update) throws(StorageError) {
        let table = schema.tables[update.row.entity]
        let columns = Set(table.uniqueConstraints.flatMap(\.self)).sorted()
        let own = layout.entities[update.row.entity]
        let changed = columns.filter { column in
            guard let slot = table.columnsOfSlots[own.index]?.firstIndex(of: column) else { return false }
            return update.columns.contains(slot)
        }
        guard !changed.isEmpty else { return }
        let dialect = changes.dialect
        let sets = changed.map { "\(dialect.quoted(table.columns[$0].name)) = NULL" }.joined(separator: ", ")
        let statement = try connection.statement(
            "UPDATE \(dialect.quoted(table.name)) SET \(sets) WHERE \(dialect.quoted(SQLTable.key)) = ?"
        )
        statement.bind(update.row.key, 1)
        try statement.check(statement.perform())
    }
}
