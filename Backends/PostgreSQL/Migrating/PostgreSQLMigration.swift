import CofferSQL
import CofferStorage

/// Reads rows with a cursor and writes them with `COPY` for a migration step, in batches of limited size.
///
/// Only a limited number of rows is in memory at a time.
final class PostgreSQLMigration: SQLMigrationDatabase {
    let definition: PostgreSQLSchema
    private let connection: PostgreSQLConnection
    private let statements: SQLMigration
    private let batches: PostgreSQLBatches
    /// The rows to write, by the index of the target's entity.
    private var rows: [Int: [Row]] = [:]
    private var links: [ChangeSet.Link] = []
    private var count = 0
    private var size = 0

    /// The maximum number of rows that are read or written at once.
    private static let batchSize = 2_048
    /// The approximate number of bytes that are read or written at once.
    private static let batchBytes = 1 << 22

    init(_ statements: SQLMigration, _ connection: PostgreSQLConnection) {
        definition = PostgreSQLSchema(schema: statements.target)
        self.connection = connection
        self.statements = statements
        batches = PostgreSQLBatches(schema: statements.target)
    }

    var indexNames: String { "SELECT indexname::text FROM pg_indexes WHERE schemaname = current_schema()" }

    func execute(_ text: String, _ values: [Value]) throws(StorageError) { try connection.run(text, values) }

    func texts(_ text: String, _ values: [Value]) throws(StorageError) -> [String] {
        try connection.texts(text, values)
    }

    // MARK: Reading

    func forEachRow(
        _ table: SQLMigration.RenamedTable, _ body: (Row) throws(StorageError) -> Void
    ) throws(StorageError) {
        let source = statements.source
        let decoder = PostgreSQLRowDecoder(source.shapes[table.index], in: source, root: table.index)
        var arena = RowArena()
        try forEach(statements.allRows(table)) { result, row throws(StorageError) in
            try body(try decoder.row(result, row, in: &arena))
        }
    }

    func forEachLink(
        _ table: SQLMigration.RenamedTable, _ body: (ChangeSet.Link) throws(StorageError) -> Void
    ) throws(StorageError) {
        try forEach(statements.allLinks(table)) { result, row throws(StorageError) in
            try body(statements.link(table) { result.word(row, $0) })
        }
    }

    /// Calls the closure with every row of a result, of which only a part is in memory at a time.
    private func forEach(
        _ text: String, _ body: (PostgreSQLResult, Int) throws(StorageError) -> Void
    ) throws(StorageError) {
        try connection.execute("DECLARE coffer_rows NO SCROLL CURSOR FOR \(text)")
        var limit = 64
        while true {
            let result = try connection.query("FETCH FORWARD \(limit) FROM coffer_rows")
            for row in 0..<result.rowCount { try body(result, row) }
            if result.rowCount < limit { break }
            let fitting = Self.batchBytes / max(1, result.size / result.rowCount)
            limit = max(1, min(limit * 4, fitting, Self.batchSize))
        }
        try connection.execute("CLOSE coffer_rows")
    }

    // MARK: Writing

    func insert(_ row: Row) throws(StorageError) {
        rows[row.entity, default: []].append(row)
        try grow(by: row.tailSize)
    }

    func insert(_ link: ChangeSet.Link) throws(StorageError) {
        links.append(link)
        try grow(by: 0)
    }

    private func grow(by bytes: Int) throws(StorageError) {
        count += 1
        size += bytes
        if count >= Self.batchSize || size >= Self.batchBytes { try flush() }
    }

    func flush() throws(StorageError) {
        (count, size) = (0, 0)
        for (entity, rows) in rows.sorted(by: { $0.key < $1.key }) {
            try PostgreSQLCopy(statements.target, entity: entity).run(rows, on: connection)
        }
        rows.removeAll(keepingCapacity: true)
        try batches.add(links, on: connection)
        links.removeAll(keepingCapacity: true)
    }
}
