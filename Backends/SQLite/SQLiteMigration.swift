import CSQLite
import CofferSQL
import CofferStorage

/// A file while a step of a migration is made in it.
///
/// What is in memory does not grow with the file.
final class SQLiteMigration: SQLMigrationDatabase {
    let definition: SQLiteSchema
    private let connection: SQLiteConnection
    private let statements: SQLMigration
    private let links: SQLChanges
    /// By the index of the target's entity.
    private var inserts: [Int: SQLiteStatement] = [:]

    init(_ statements: SQLMigration, _ connection: SQLiteConnection) {
        definition = SQLiteSchema(statements.target)
        self.connection = connection
        self.statements = statements
        links = SQLChanges(statements.target, SQLiteDialect())
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
        _ table: SQLMigration.Aside, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        let source = statements.source
        let decoder = SQLiteRowDecoder(source.shapes[table.index], in: source, root: table.index)
        let select = try SQLiteStatement(statements.allRows(table), on: connection)
        while try select.step() { try body(try decoder.row(select)) }
    }

    func forEachLink(
        _ table: SQLMigration.Aside, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError) {
        let select = try SQLiteStatement(statements.allLinks(table), on: connection)
        while try select.step() {
            try body(
                statements.link(table) { column in
                    select.type(Int32(column)) == SQLITE_NULL ? nil : select.integer(Int32(column))
                })
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
        let table = statements.target.links[link.table]
        let statement = try connection.statement(links.link(link.table))
        statement.bind(link.first, 1)
        statement.bind(link.second, 2)
        let positions = [(table.firstPosition, link.firstPosition), (table.secondPosition, link.secondPosition)]
        for (place, position) in positions.filter({ $0.0 != nil }).map(\.1).enumerated() {
            if let position {
                statement.bind(position, Int32(place + 3))
            } else {
                statement.bindNull(Int32(place + 3))
            }
        }
        try statement.check(statement.perform())
    }

    /// Nothing waits to be written.
    func flush() {}
}
