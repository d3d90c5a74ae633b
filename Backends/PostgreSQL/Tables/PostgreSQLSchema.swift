import CofferSQL
import CofferStorage
import Foundation

/// Creates tables, link tables and indexes, reads and writes the metadata, and refuses a user without permissions.
struct PostgreSQLSchema: SQLDefinition {
    let schema: SQLSchema
    private let dialect = PostgreSQLDialect()

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    // MARK: Writing

    private var ownTables: [String] {
        [
            "CREATE TABLE coffer_metadata (name text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)",
            "CREATE TABLE coffer_keys (root text COLLATE \"C\" PRIMARY KEY, next bigint NOT NULL)",
        ]
    }

    func table(_ table: SQLTable) -> String {
        var columns = ["\(SQLTable.key) bigint PRIMARY KEY", "\(SQLTable.version) bigint NOT NULL"]
        if table.hasEntityColumn { columns.append("\(SQLTable.entity) text COLLATE \"C\" NOT NULL") }
        columns += table.columns.map { "\(dialect.quoted($0.name)) \($0.kind.typeName)" }
        return "CREATE TABLE \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    func linkTable(_ link: SQLLinkTable) -> [String] {
        let positions = [link.firstPosition, link.secondPosition].compactMap(\.self).sorted()
        let columns =
            ["\"first\" bigint NOT NULL", "\"second\" bigint NOT NULL"]
            + positions.map { "\(dialect.quoted($0)) bigint" } + ["PRIMARY KEY (\"first\", \"second\")"]
        return [
            "CREATE TABLE \(dialect.quoted(link.name)) (\(columns.joined(separator: ", ")))",
            "CREATE INDEX ON \(dialect.quoted(link.name)) (\"second\", \"first\")",
        ]
    }

    /// Null comes first, as it does in orders.
    func creation(_ index: SQLIndex) -> String {
        let table = schema.tables[index.root]
        let columns = index.columns.map { "\(dialect.quoted(table.columns[$0].name)) NULLS FIRST" }
        return "CREATE \(index.constraint == nil ? "" : "UNIQUE ")INDEX IF NOT EXISTS \(dialect.quoted(index.name)) "
            + "ON \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// Creates everything in an empty schema, inside a transaction.
    func create(_ connection: PostgreSQLConnection) throws(StorageError) -> StoreMetadata {
        let metadata = StoreMetadata(store: UUID(), model: schema.layout.model)
        try create(metadata, connection)
        for index in indexes { try connection.execute(index) }
        for root in schema.roots {
            _ = try connection.query(
                "INSERT INTO coffer_keys (root, next) VALUES ($1, 1)", PostgreSQLParameters([.text(root.name)]))
        }
        return metadata
    }

    /// Creates everything but the keys and indexes in an empty schema, inside a transaction.
    func create(_ metadata: StoreMetadata, _ connection: PostgreSQLConnection) throws(StorageError) {
        for statement in ownTables + tables { try connection.execute(statement) }
        try Self.write(metadata, connection)
    }

    /// Makes the indexes of a store with the same hashes what the model says now, and keeps the model.
    func refresh(_ metadata: StoreMetadata, _ connection: PostgreSQLConnection) throws(StorageError) {
        let names = Set(schema.indexes.map(\.name))
        let found = try connection.query(
            "SELECT indexname::text FROM pg_indexes WHERE schemaname = $1",
            PostgreSQLParameters([.text(connection.address.schema)]))
        for row in 0..<found.rowCount {
            guard let name = found.string(row, 0), name.hasPrefix(SQLIndex.prefix), !names.contains(name) else {
                continue
            }
            try connection.execute("DROP INDEX \(dialect.quoted(name))")
        }
        for index in schema.indexes { try connection.execute(creation(index)) }
        try Self.write(metadata, connection)
    }

    // MARK: Reading

    /// What the schema says about itself; nil when there is no store in it.
    ///
    /// - Throws: `corrupt` when it contradicts itself.
    static func metadata(_ connection: PostgreSQLConnection) throws(StorageError) -> StoreMetadata? {
        try description(connection)?.metadata
    }

    /// What the schema says about itself and its format; nil when there is no store in it.
    static func description(_ connection: PostgreSQLConnection) throws(StorageError) -> SQLDescription? {
        let table = try connection.query(
            """
            SELECT (has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT'))::int::bigint \
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
            WHERE n.nspname = $1 AND c.relname = 'coffer_metadata' AND c.relkind = 'r'
            """, PostgreSQLParameters([.text(connection.address.schema)]))
        guard table.rowCount > 0 else { return nil }
        guard table.integer(0, 0) == 1 else { throw refusal(connection) }
        let rows = try connection.query("SELECT name, value FROM coffer_metadata")
        var values: [String: String] = [:]
        for row in 0..<rows.rowCount { values[rows.string(row, 0) ?? ""] = rows.string(row, 1) }
        return try SQLMetadata.description(connection.address.name) { name throws(StorageError) in values[name] }
    }

    /// Checks that the user may use the schema, in which no table was found.
    static func checkUsage(_ connection: PostgreSQLConnection) throws(StorageError) {
        let usage = try connection.query(
            "SELECT 1::bigint FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')",
            PostgreSQLParameters([.text(connection.address.schema)]))
        if usage.rowCount > 0 { throw refusal(connection) }
    }

    /// The error for a store that the user may not read, with the server's own sentence.
    private static func refusal(_ connection: PostgreSQLConnection) -> StorageError {
        var sentence = ""
        do throws(StorageError) {
            let schema = PostgreSQLDialect().quoted(connection.address.schema)
            try connection.execute("SELECT FROM \(schema).coffer_metadata LIMIT 0")
        } catch {
            if let cause = error.cause { sentence = " (\(cause))" }
        }
        return StorageError(
            .unavailable,
            "This user may not read '\(connection.address.name)'\(sentence). Grant USAGE on its schema, and SELECT on its "
                + "tables.")
    }

    private static func write(_ metadata: StoreMetadata, _ connection: PostgreSQLConnection) throws(StorageError) {
        for row in try SQLMetadata.rows(metadata) {
            _ = try connection.query(
                "INSERT INTO coffer_metadata (name, value) VALUES ($1, $2) "
                    + "ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                PostgreSQLParameters([.text(row.name), .text(row.value)]))
        }
    }
}
