import CofferSQL
import CofferStorage

/// Creates, opens, inspects and erases the tables of a store, and refuses a database without the encoding UTF8.
struct PostgreSQLDatabase {
    let address: PostgreSQLAddress
    let options: PostgreSQLConfiguration

    private var quotedSchema: String { PostgreSQLDialect().quoted(address.schema) }

    /// Returns the metadata of the store, without creating or changing anything.
    func inspect() throws(StorageError) -> StoreMetadata? {
        let connection = try PostgreSQLConnection(address, options)
        var attempts = 0
        while true {
            do throws(StorageError) {
                return try transaction(connection, " READ ONLY") { () throws(StorageError) in
                    try PostgreSQLSchema.metadata(connection)
                }
            } catch {
                // Another process may erase the store after its table has been found.
                attempts += 1
                guard error.code == .unavailable, attempts < 3, connection.isUsable else { throw error }
            }
        }
    }

    /// Opens the store, and creates its schema and tables if they do not exist.
    func open(_ layout: ModelLayout) throws(StorageError) -> PostgreSQLOpenedDatabase {
        let connection = try PostgreSQLConnection(address, options)
        let schema = SQLSchema(layout, naming: PostgreSQLDialect.naming)
        let metadata = try transaction(connection) { () throws(StorageError) in
            try checkEncoding(connection)
            try lock(connection)
            let metadata = try prepare(PostgreSQLSchema(schema: schema), connection)
            try hold(connection)
            return metadata
        }
        return PostgreSQLOpenedDatabase(database: self, connection: connection, metadata: metadata, schema: schema)
    }

    /// Creates the tables, or compares the existing tables with the model.
    private func prepare(
        _ schema: PostgreSQLSchema, _ connection: PostgreSQLConnection
    ) throws(StorageError) -> StoreMetadata {
        guard let found = try PostgreSQLSchema.description(connection) else {
            try makeSchema(connection)
            return try schema.create(connection)
        }
        if found.format != .current {
            try claim(connection, before: "upgraded")
            try upgrade(found, connection)
        }
        return try schema.refresh(found.metadata, of: address.name, connection)
    }

    /// Creates the schema, unless it exists.
    func makeSchema(_ connection: PostgreSQLConnection) throws(StorageError) {
        let known = try connection.query(
            "SELECT 1::bigint FROM pg_namespace WHERE nspname = $1", PostgreSQLParameters([.text(address.schema)]))
        if known.rowCount == 0 { try connection.execute("CREATE SCHEMA \(quotedSchema)") }
        // Without USAGE, the schema looks empty. If a statement names one of its tables, the server reports the
        // missing right.
        try PostgreSQLSchema.checkUsage(connection)
    }

    /// Removes the tables of the store, and its schema if it contains nothing else.
    ///
    /// No other process has the store open in the meantime, because a writer would continue in the store that
    /// replaces it.
    func erase() throws(StorageError) {
        let connection = try PostgreSQLConnection(address, options)
        try transaction(connection) { () throws(StorageError) in
            try lock(connection)
            // The query also finds the tables of a store whose description is damaged.
            let tables = try connection.texts(
                """
                SELECT quote_ident(c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
                WHERE n.nspname = $1 AND c.relkind = 'r' AND EXISTS (SELECT 1 FROM pg_tables t WHERE t.schemaname = $1 \
                AND t.tablename = 'coffer_metadata') AND (c.relname IN ('coffer_metadata', 'coffer_keys') \
                OR starts_with(c.relname::text, 'coffer_link_') OR EXISTS (SELECT 1 FROM pg_attribute a \
                WHERE a.attrelid = c.oid AND a.attname = 'coffer_key')) ORDER BY 1
                """, [.text(address.schema)])
            guard !tables.isEmpty else { return }
            try claim(connection, before: "erased")
            for name in tables { try connection.execute("DROP TABLE \(name)") }
            let left = try connection.query(
                "SELECT 1::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1",
                PostgreSQLParameters([.text(address.schema)]))
            if address.schema != "public", left.rowCount == 0 { try dropSchema(connection) }
        }
    }

    /// Drops the schema, unless it contains functions or types of other programs.
    private func dropSchema(_ connection: PostgreSQLConnection) throws(StorageError) {
        do throws(StorageError) {
            _ = try connection.savepoint { () throws(StorageError) in
                try connection.execute("DROP SCHEMA \(quotedSchema)")
            }
        } catch {
            guard connection.isUsable else { throw error }
        }
    }

    /// Locks the store, so that one process at a time opens, creates, loads, migrates or removes it.
    func lock(_ connection: PostgreSQLConnection) throws(StorageError) {
        let text = "SELECT pg_advisory_xact_lock(hashtextextended('coffer ' || $1, 0))"
        try connection.run(text, [.text(address.schema)])
    }

    /// Removes all time limits for an operation on the whole store.
    ///
    /// The limits may be limits of the store, the user or the server.
    func liftTimeLimits(_ connection: PostgreSQLConnection) throws(StorageError) {
        // Not every server has the last setting.
        try connection.execute(
            "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN ('statement_timeout', "
                + "'idle_in_transaction_session_timeout', 'transaction_timeout')")
    }

    func checkEncoding(_ connection: PostgreSQLConnection) throws(StorageError) {
        let encoding = try connection.query("SELECT current_setting('server_encoding')").string(0, 0) ?? ""
        guard encoding == "UTF8" else {
            throw StorageError(
                .unavailable,
                "The database of '\(address.name)' has the encoding \(encoding). Choose a database with UTF8."
            )
        }
    }

    func transaction<Success>(
        _ connection: PostgreSQLConnection, _ kind: String = "", _ body: () throws(StorageError) -> Success
    ) throws(StorageError) -> Success {
        try connection.begin(kind)
        do {
            let result = try body()
            try connection.commit()
            return result
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
