import CofferSQL
import CofferStorage
import Foundation

/// Stores that are only read.
extension SQLiteFile {
    /// What tells whether somebody wrote a file.
    struct Stamp: Equatable {
        let size: Int
        let changed: Date?
        let logSize: Int
    }

    var stamp: Stamp {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return Stamp(
            size: size(path), changed: attributes?[.modificationDate] as? Date, logSize: size(path + "-wal"))
    }

    /// Whether somebody may have the file open: SQLite would have to share memory with them, in a file beside it.
    private var isShared: Bool { isThere(path + "-shm") || size(path + "-wal") > 0 }

    /// Opens a file that is there, without making or changing anything.
    func openReadOnly(_ layout: ModelLayout) throws(StorageError) -> SQLiteSession {
        try checkPlace()
        let stamp = isShared ? nil : stamp
        let connection = try connectionForReading()
        guard let metadata = try SQLiteSchema.metadata(connection) else {
            throw StorageError(.unavailable, "There is no store in '\(name)', and none is made where one is only read.")
        }
        guard metadata.model.versionHashes == layout.model.versionHashes else {
            throw .schemaMismatch("'\(name)'", stored: metadata.model, opened: layout.model)
        }
        return SQLiteSession(
            path: path, configuration: configuration,
            metadata: StoreMetadata(store: metadata.store, model: layout.model), schema: SQLSchema(layout),
            writer: connection, stamp: stamp)
    }

    /// A connection that only reads.
    func connectionForReading() throws(StorageError) -> SQLiteConnection {
        let isQuiet = configuration.isReadOnly && !isShared
        return try SQLiteConnection(path: path, access: isQuiet ? .immutable : .read, configuration: configuration)
    }
}

extension SQLiteSession {
    /// Refuses to go on where a file was written that is read as one that nobody writes: there is no snapshot of it.
    func checkUnchanged() throws(StorageError) {
        guard let stamp else { return }
        let file = SQLiteFile(path, configuration)
        guard file.stamp != stamp else { return }
        throw StorageError(
            .busy, "'\(file.name)' was written while it was read. Open it again.", isRetryable: true)
    }
}

extension SQLiteStore {
    /// Refuses what would change a store that is only read.
    func checkWritable() throws(StorageError) {
        guard settings.isReadOnly else { return }
        throw StorageError(.readOnly, "The store was made to be read only. Make it without 'isReadOnly' to change it.")
    }
}
