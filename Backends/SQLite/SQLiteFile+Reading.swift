import CofferSQL
import CofferStorage
import Foundation

/// Stores that are only read.
extension SQLiteFile {
    /// What tells whether somebody wrote a file.
    struct Stamp: Equatable {
        let place: SQLitePlace?
        let size: Int
        let changed: Date?
        let logSize: Int
    }

    var stamp: Stamp {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Stamp(
            place: SQLitePlace(path), size: size(path), changed: attributes?[.modificationDate] as? Date,
            logSize: size(path + "-wal"))
    }

    /// Whether somebody may have the file open: SQLite would have to share memory with them, in a file beside it.
    ///
    /// Or may have ended before what is in a journal was undone.
    private var isShared: Bool {
        isThere(path + "-shm") || size(path + "-wal") > 0 || size(path + "-journal") > 0
    }

    /// Opens a file that is there, without making or changing anything.
    func openReadOnly(_ layout: ModelLayout) throws(StorageError) -> SQLiteSession {
        try checkPlace()
        guard isThere(path) else {
            throw StorageError(
                .unavailable,
                "There is no file '\(name)', and a store that is only read is not created. Check its path, or open it once to "
                    + "write.")
        }
        let stamp = isShared ? nil : stamp
        let connection = try connectionForReading()
        guard let found = try SQLiteSchema.description(connection) else {
            throw StorageError(.unavailable, "There is no store in '\(name)', and none is made where one is only read.")
        }
        let metadata = found.metadata
        guard metadata.model.isCompatible(with: layout.model) else {
            throw .schemaMismatch("'\(name)'", stored: metadata.model, opened: layout.model)
        }
        let schema = SQLSchema(layout)
        let views = SQLiteSchema(schema).views(of: found.format)
        try connection.show(views)
        return SQLiteSession(
            path: path, configuration: configuration,
            metadata: StoreMetadata(store: metadata.store, model: layout.model), schema: schema, writer: connection,
            stamp: stamp, views: views)
    }

    /// A connection that only reads.
    func connectionForReading() throws(StorageError) -> SQLiteConnection {
        let isQuiet = configuration.isReadOnly && !isShared
        return try SQLiteConnection(path: path, access: isQuiet ? .immutable : .read, configuration: configuration)
    }
}
