import CofferSQL
import CofferStorage

/// Returns the statements that upgrade tables of an older format, or read them through views.
extension SQLiteSchema {
    /// Returns the expression for a date of an older format as a double, equal to the result of older releases.
    private func seconds(_ column: String) -> String { "CAST(\(column) AS REAL) / 1000000.0" }

    private func columns(_ table: SQLTable, _ convert: (SQLTable.Column, String) -> String) -> String {
        let own = Set(table.columns.map(\.name))
        let others = table.allColumnNames.filter { !own.contains($0) }
        return (others + table.columns.map { convert($0, quoted($0.name)) }).joined(separator: ", ")
    }

    private func quoted(_ name: String) -> String { dialect.quoted(name) }

    /// Returns the statements that convert the dates of a table from integers to doubles.
    ///
    /// The type of a column can only be changed by recreating its table.
    func makeDatesDoubles(_ table: SQLTable) -> [String] {
        guard !table.columns(of: .date).isEmpty else { return [] }
        let (name, aside) = (quoted(table.name), quoted("coffer_aside"))
        let target = columns(table) { $1 }
        let source = columns(table) { $0.kind == .date ? seconds($1) : $1 }
        return [
            "ALTER TABLE \(name) RENAME TO \(aside)", self.table(table),
            "INSERT INTO \(name) (\(target)) SELECT \(source) FROM \(aside) ORDER BY \(SQLTable.key)",
            "DROP TABLE \(aside)",
        ]
    }

    /// Returns the statements with which a connection that only reads sees an older format as the current one.
    func views(of format: SQLFormat) -> [String] {
        guard format == .integerDates else { return [] }
        let tables = schema.rootTables.filter { !$0.columns(of: .date).isEmpty }
        let views = tables.map { table in
            let columns = columns(table) { $0.kind == .date ? "\(seconds($1)) AS \($1)" : $1 }
            return "CREATE TEMP VIEW \(quoted(table.name)) AS SELECT \(columns) FROM main.\(quoted(table.name))"
        }
        return views.isEmpty ? [] : ["PRAGMA temp_store = MEMORY"] + views
    }
}
