import CofferSQL
import CofferStorage

/// Locks an open store with advisory locks, and reconnects after a lost connection.
extension PostgreSQLDatabase {
    /// Marks the store as open for the lifetime of the connection.
    ///
    /// Behind a pooler, this lifetime is unknown.
    func hold(_ connection: PostgreSQLConnection) throws(StorageError) {
        guard options.keepsStatements else { return }
        try takeLock("pg_advisory_lock_shared", connection)
    }

    /// Waits until no process has the store open.
    ///
    /// - Parameter deed: the operation that follows, for the error.
    func claim(_ connection: PostgreSQLConnection, before deed: String) throws(StorageError) {
        do throws(StorageError) {
            try takeLock("pg_advisory_xact_lock", connection)
        } catch {
            guard error.code == .busy else { throw error }
            throw StorageError(
                .busy, "'\(address.name)' is open elsewhere. Close it there before it is \(deed).",
                isRetryable: true, cause: error.cause)
        }
    }

    private func takeLock(_ function: String, _ connection: PostgreSQLConnection) throws(StorageError) {
        try connection.run("SELECT \(function)(hashtextextended('coffer open ' || $1, 0))", [.text(address.schema)])
    }

    /// Reconnects for an open store that has lost its connection.
    ///
    /// - Throws: `unavailable` if the store was erased meanwhile, `schemaMismatch` if it was migrated.
    func reconnect(_ metadata: StoreMetadata) throws(StorageError) -> PostgreSQLConnection {
        let connection = try PostgreSQLConnection(address, options)
        try transaction(connection) { () throws(StorageError) in
            try hold(connection)
            guard let description = try PostgreSQLSchema.description(connection), description.format == .current,
                description.metadata.store == metadata.store
            else {
                throw StorageError(.unavailable, "'\(address.name)' was erased while it was open. Open it again.")
            }
            let found = description.metadata
            guard found.model.isCompatible(with: metadata.model) else {
                throw .schemaMismatch("'\(address.name)'", stored: found.model, opened: metadata.model)
            }
        }
        return connection
    }
}
