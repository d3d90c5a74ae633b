import CofferSQL
import CofferStorage

/// Finds the unique constraints that a row violates, and clears unique values of a row before its update.
extension SQLiteWriter {
    /// Returns the key of the other row that has a row's values of a constraint; nil if one of the values is null.
    private func conflicting(_ row: Row, _ constraint: Int) throws(StorageError) -> Int64? {
        let slots = layout.entities[row.entity].uniqueConstraints[constraint]
        guard !slots.contains(where: row.isNull) else { return nil }
        let kinds = layout.entities[row.entity].kinds
        let statement = try connection.statement(mutations.conflicting(entity: row.entity, constraint: constraint))
        defer { statement.reset() }
        for (index, slot) in slots.enumerated() { try statement.bind(row, slot, kinds[slot], Int32(index + 1)) }
        while try statement.step() {
            if statement.integer(0) != row.key { return statement.integer(0) }
        }
        return nil
    }

    /// Returns the error with the constraints that a row violates.
    func uniqueViolation(of row: Row) -> StorageError {
        let broken = layout.entities[row.entity].uniqueConstraints.indices.filter { constraint in
            guard let key = try? conflicting(row, constraint) else { return false }
            return key != row.key
        }
        return schema.uniqueViolation(row.entity, constraints: Array(broken))
    }

    /// Clears the unique values of a row that its update will change.
    func clearConstraints(_ update: ChangeSet.Update) throws(StorageError) {
        let table = schema.tables[update.row.entity]
        let changed = table.uniqueColumns(update)
        guard !changed.isEmpty else { return }
        let dialect = mutations.dialect
        let sets = changed.map { "\(dialect.quoted(table.columns[$0].name)) = NULL" }.joined(separator: ", ")
        let text = "UPDATE \(dialect.quoted(table.name)) SET \(sets) WHERE \(dialect.quoted(SQLTable.key)) = ?"
        try connection.run(text, [.integer(update.row.key)])
    }
}
