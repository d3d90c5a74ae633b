import CofferSQL
import CofferStorage

/// Reads and writes rows and links for a migration step, one row at a time.
///
/// Memory use does not grow with the file.
final class SQLiteMigration: SQLMigrationDatabase {
    let definition: SQLiteSchema
    private let connection: SQLiteConnection
    private let statements: SQLMigration
    private var inserts: SQLiteInserts

    init(_ statements: SQLMigration, _ connection: SQLiteConnection) {
        definition = SQLiteSchema(schema: statements.target)
        self.connection = connection
        self.statements = statements
        inserts = SQLiteInserts(statements.target, connection)
    }

    var indexNames: String { "SELECT name FROM sqlite_master WHERE type = 'index'" }

    func execute(_ text: String, _ values: [Value]) throws(StorageError) {
        if values.isEmpty { try connection.execute(text) } else { try connection.run(text, values) }
    }

    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        try connection.texts(text, values)
    }

    func forEachRow(
        _ table: SQLMigration.RenamedTable, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        let source = statements.source
        let decoder = SQLiteRowDecoder(source.shapes[table.index], in: source, root: table.index)
        let select = try SQLiteStatement(statements.allRows(table), on: connection)
        var arena = RowArena()
        while try select.step() { try body(try decoder.row(select, in: &arena)) }
    }

    func forEachLink(
        _ table: SQLMigration.RenamedTable, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError) {
        let select = try SQLiteStatement(statements.allLinks(table), on: connection)
        while try select.step() {
            try body(statements.link(table, select.optionalInteger))
        }
    }

    func insert(_ row: Row) throws(StorageError) { try inserts.add(row) }

    func insert(_ link: ChangeSet.Link) throws(StorageError) { try inserts.add(link) }

    /// Does nothing, because no row or link is waiting.
    func flush() {}
}
