import CofferSQL
import CofferStorage
import CofferStorageTools

/// Creates the schema, the tables and their content in one transaction.
extension PostgreSQLDatabase {
    /// Creates the store with the rows and links that the closure adds.
    func load(
        _ metadata: StoreMetadata, _ layout: ModelLayout, _ fill: (any StorageLoader) throws(StorageError) -> Void,
        _ verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        let connection = try PostgreSQLConnection(address, options)
        let schema = SQLSchema(layout, naming: PostgreSQLDialect.naming)
        try transaction(connection) { () throws(StorageError) in
            try load(schema, metadata, connection, fill, verify)
        }
    }

    private func load(
        _ schema: SQLSchema, _ metadata: StoreMetadata, _ connection: PostgreSQLConnection,
        _ fill: (any StorageLoader) throws(StorageError) -> Void,
        _ verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try liftTimeLimits(connection)
        try checkEncoding(connection)
        try lock(connection)
        guard try PostgreSQLSchema.metadata(connection) == nil else { throw .occupied(address.name) }
        try makeSchema(connection)
        let loader = try PostgreSQLLoader(PostgreSQLSchema(schema: schema), metadata, connection)
        try fill(loader)
        try loader.finish()
        let reader = PostgreSQLReader(PostgreSQLTables(schema), within: connection)
        defer { reader.finish() }
        try verify(reader)
    }
}
