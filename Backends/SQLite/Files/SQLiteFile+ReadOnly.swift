import CofferSQL
import CofferStorage

/// Opens the file of a read-only store without changing it; refuses a missing file.
extension SQLiteFile {
    /// Whether another process may have the file open, or may have ended before its journal was rolled back.
    ///
    /// If another process has the file open, SQLite must share memory with it, in a file beside the file.
    private var isShared: Bool {
        isThere(path + "-shm") || size(path + "-wal") > 0 || size(path + "-journal") > 0
    }

    /// Opens an existing file, without creating or changing anything.
    func openReadOnly(_ layout: ModelLayout) throws(StorageError) -> SQLiteOpenedFile {
        try checkPlace()
        guard isThere(path) else {
            throw StorageError(
                .unavailable,
                "There is no file '\(name)', and a read-only store is not created. Check the path, or open the store "
                    + "once for writing.")
        }
        let stamp = isShared ? nil : SQLiteStamp(path)
        let connection = try connectionForReading()
        guard let found = try SQLiteSchema.description(connection) else {
            throw StorageError(.unavailable, "There is no store in '\(name)', and a read-only store is not created.")
        }
        let metadata = found.metadata
        guard metadata.model.isCompatible(with: layout.model) else {
            throw .schemaMismatch("'\(name)'", stored: metadata.model, opened: layout.model)
        }
        let schema = SQLSchema(layout)
        let views = SQLiteSchema(schema: schema).views(of: found.format)
        for view in views { try connection.execute(view) }
        return SQLiteOpenedFile(
            path: path, connection: connection,
            metadata: StoreMetadata(store: metadata.store, model: layout.model), schema: schema,
            stamp: stamp, views: views)
    }

    /// Opens a connection that only reads.
    func connectionForReading() throws(StorageError) -> SQLiteConnection {
        let isQuiet = options.isReadOnly && !isShared
        return try SQLiteConnection(path: path, access: isQuiet ? .immutable : .read, options: options)
    }
}
