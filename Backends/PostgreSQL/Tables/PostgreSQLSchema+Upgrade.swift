import CofferSQL
import CofferStorage

/// Returns the statements that upgrade tables of an older format.
extension PostgreSQLSchema {
    /// A date becomes what the releases of the format before gave for it.
    func makeDatesDoubles(_ table: SQLTable) -> [String] {
        let dates = table.columns(of: .date).map { dialect.quoted($0.name) }
        guard !dates.isEmpty else { return [] }
        let type = ColumnKind.date.typeName
        let changes = dates.map { "ALTER COLUMN \($0) TYPE \(type) USING \($0)::\(type) / 1000000" }
        let name = dialect.quoted(table.name)
        return drops(table) + ["ALTER TABLE \(name) \(changes.joined(separator: ", "))", "ANALYZE \(name)"]
    }

    /// Constraints on dates are made again by their names, so that an error names the one that rows break.
    private func drops(_ table: SQLTable) -> [String] {
        let constraints = schema.indexes.filter { index in
            index.root == table.root && index.constraint != nil
                && index.columns.contains { table.columns[$0].kind == .date }
        }
        return constraints.map { "DROP INDEX IF EXISTS \(dialect.quoted($0.name))" }
    }
}
