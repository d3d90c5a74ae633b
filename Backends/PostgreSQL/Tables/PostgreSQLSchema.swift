import CofferSQL
import CofferStorage

/// The SQL of PostgreSQL that creates tables and indexes; reads the metadata, and refuses a user without permissions.
struct PostgreSQLSchema: SQLStoreDefinition {
    let schema: SQLSchema
    let dialect = PostgreSQLDialect()

    // MARK: Writing

    var ownTables: [String] {
        [
            "CREATE TABLE coffer_metadata (name text COLLATE \"C\" PRIMARY KEY, value text NOT NULL)",
            "CREATE TABLE coffer_keys (root text COLLATE \"C\" PRIMARY KEY, next bigint NOT NULL)",
        ]
    }

    var savesMetadata: String {
        "INSERT INTO coffer_metadata (name, value) VALUES ($1, $2) "
            + "ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    }

    var linkTableEnding: String { "" }

    func linkIndexName(_ link: SQLLinkTable) -> String? { nil }

    func type(_ kind: ColumnKind) -> String { kind.typeName }

    /// Returns the statements that convert the dates of a table to the values that older releases returned for them.
    func makeDatesDoubles(_ table: SQLTable) -> [String] {
        let dates = table.columns(of: .date).map { dialect.quoted($0.name) }
        guard !dates.isEmpty else { return [] }
        let type = ColumnKind.date.typeName
        let changes = dates.map { "ALTER COLUMN \($0) TYPE \(type) USING \($0)::\(type) / 1000000" }
        let name = dialect.quoted(table.name)
        return drops(table) + ["ALTER TABLE \(name) \(changes.joined(separator: ", "))", "ANALYZE \(name)"]
    }

    /// Returns the statements that drop the constraints on dates.
    ///
    /// The constraints are created again by their names, so that an error names the constraint that rows break.
    private func drops(_ table: SQLTable) -> [String] {
        let constraints = schema.indexes.filter { index in
            index.root == table.root && index.constraint != nil
                && index.columns.contains { table.columns[$0].kind == .date }
        }
        return constraints.map { "DROP INDEX IF EXISTS \(dialect.quoted($0.name))" }
    }

    // MARK: Reading

    func indexNames(_ connection: PostgreSQLConnection) throws(StorageError) -> [String] {
        let text = "SELECT indexname::text FROM pg_indexes WHERE schemaname = $1"
        return try connection.texts(text, [.text(connection.address.schema)])
    }

    /// Returns the description of the store in the schema; nil if there is no store.
    ///
    /// - Throws: `corrupt` if the description contradicts itself.
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

    /// Returns the error for a store that the user may not read, with the message of the server.
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
}
