import CofferSQL
import CofferStorage

/// Reads and writes rows and links for a migration step, one row at a time.
///
/// Memory use does not grow with the file.
final class SQLiteMigration: SQLMigrationDatabase {
    let definition: SQLiteSchema
    private let connection: SQLiteConnection
    private let statements: SQLMigration
    private let links: SQLMutations
    /// By the index of the target's entity.
    private var inserts: [Int: SQLiteStatement] = [:]

    init(_ statements: SQLMigration, _ connection: SQLiteConnection) {
        definition = SQLiteSchema(statements.target)
        self.connection = connection
        self.statements = statements
        links = SQLMutations(statements.target, SQLiteDialect())
    }

    var indexNames: String { "SELECT name FROM sqlite_master WHERE type = 'index'" }

    func execute(_ text: String, _ values: [Value]) throws(StorageError) {
        if values.isEmpty { return try connection.execute(text) }
        let statement = try connection.statement(text)
        try statement.bind(values)
        try statement.check(statement.perform())
    }

    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        let select = try SQLiteStatement(text, on: connection)
        try select.bind(values)
        var texts: [String] = []
        while try select.step() { if let text = select.string(0) { texts.append(text) } }
        return texts
    }

    func forEachRow(
        _ table: SQLMigration.RenamedTable, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        let source = statements.source
        let decoder = SQLiteRowDecoder(source.shapes[table.index], in: source, root: table.index)
        let select = try SQLiteStatement(statements.allRows(table), on: connection)
        while try select.step() { try body(try decoder.row(select)) }
    }

    func forEachLink(
        _ table: SQLMigration.RenamedTable, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError) {
        let select = try SQLiteStatement(statements.allLinks(table), on: connection)
        while try select.step() {
            try body(statements.link(table, select.optionalInteger))
        }
    }

    func insert(_ row: Row) throws(StorageError) {
        let kinds = statements.target.layout.entities[row.entity].kinds
        let insert = try statement(row.entity)
        insert.bind(row.key, 1)
        for slot in kinds.indices { try insert.bind(row, slot, kinds[slot], Int32(slot + 2)) }
        insert.bind(row.version, Int32(kinds.count + 2))
        try insert.check(insert.perform())
    }

    private func statement(_ entity: Int) throws(StorageError) -> SQLiteStatement {
        if let known = inserts[entity] { return known }
        let statement = try SQLiteStatement(statements.insert(entity: entity), on: connection)
        if statements.target.tables[entity].hasEntityColumn {
            let layout = statements.target.layout.entities[entity]
            try statement.bind(layout.name, Int32(layout.kinds.count + 3))
        }
        inserts[entity] = statement
        return statement
    }

    func insert(_ link: ChangeSet.Link) throws(StorageError) {
        let statement = try connection.statement(links.link(link.table))
        statement.bind(link, of: statements.target.links[link.table])
        try statement.check(statement.perform())
    }

    /// Nothing waits to be written.
    func flush() {}
}
