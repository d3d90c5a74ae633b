import CofferSQL
import CofferStorage
import Foundation

/// The file of a store: making, opening, inspecting, erasing.
struct SQLiteFile {
    let path: String
    let configuration: SQLiteConfiguration

    var url: URL { URL(filePath: path) }
    var name: String { name(path) }
    private var isThere: Bool { isThere(path) }

    init(_ path: String, _ configuration: SQLiteConfiguration) {
        self.path = path
        self.configuration = configuration
    }

    /// What is there, without creating or changing anything.
    func inspect() throws(StorageError) -> StoreMetadata? {
        guard isThere else { return nil }
        try checkPlace()
        guard size(path) > 0 else { return nil }
        // Opening a file in WAL mode makes two files beside it, unless nobody else has it open and it may not change.
        let isQuiet = size(path + "-wal") == 0
        let connection = try SQLiteConnection(
            path: path, access: isQuiet ? .immutable : .read, configuration: configuration
        )
        return try SQLiteSchema.metadata(connection)
    }

    /// Opens the file, making it when there is none.
    func open(_ layout: ModelLayout) throws(StorageError) -> SQLiteSession {
        let isNew = !isThere
        try makeDirectory()
        try checkPlace()
        do {
            return try open(layout, try upgradedConnection())
        } catch {
            if isNew { removeIfEmpty() }
            throw error
        }
    }

    private func open(_ layout: ModelLayout, _ connection: SQLiteConnection) throws(StorageError) -> SQLiteSession {
        // Before anything is changed: is the file ours?
        _ = try SQLiteSchema.metadata(connection)
        guard !connection.isReadOnly else {
            throw StorageError(
                .readOnly, "'\(name)' cannot be written. Give this process permission to write it."
            )
        }
        try connection.switchToWAL(timeLimit: configuration.busyTimeLimit)
        try connection.execute("PRAGMA synchronous = \(configuration.synchronous.rawValue)")
        if let count = configuration.maximumPageCount { try connection.execute("PRAGMA max_page_count = \(count)") }
        let schema = SQLSchema(layout)
        try connection.execute("BEGIN IMMEDIATE")
        do {
            let metadata = try prepare(SQLiteSchema(schema), connection)
            try connection.execute("COMMIT")
            return SQLiteSession(
                path: path, configuration: configuration, metadata: metadata, schema: schema, writer: connection
            )
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Makes the tables, or compares those there are with the model.
    private func prepare(_ schema: SQLiteSchema, _ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata {
        let model = schema.schema.layout.model
        guard let metadata = try SQLiteSchema.metadata(connection) else { return try schema.create(connection) }
        if metadata.model == model { return metadata }
        guard metadata.model.versionHashes == model.versionHashes else {
            throw .schemaMismatch("'\(name)'", stored: metadata.model, opened: model)
        }
        let described = StoreMetadata(store: metadata.store, model: model)
        try schema.refresh(described, connection)
        return described
    }

    /// Makes the file the only one there is of the store.
    ///
    /// Harmless when there is none.
    func fold() throws(StorageError) {
        guard isThere else { return }
        let connection = try SQLiteConnection(path: path, access: .write(creates: false), configuration: configuration)
        _ = try SQLiteSchema.metadata(connection)
        guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
            throw StorageError(
                .busy, "'\(name)' is open elsewhere. Close it there before the file is copied or moved.",
                isRetryable: true
            )
        }
    }

    /// Removes the file and those SQLite keeps beside it.
    func erase() throws(StorageError) {
        for file in files where FileManager.default.fileExists(atPath: file) {
            do { try FileManager.default.removeItem(atPath: file) } catch {
                throw StorageError(
                    .unavailable, "'\(name)' cannot be removed. Check the permissions of its directory.",
                    cause: "\(error)"
                )
            }
        }
    }

    func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The file and those SQLite keeps beside it.
    var files: [String] { [path, path + "-wal", path + "-shm", path + "-journal"] }

    private func removeIfEmpty() {
        guard size(path) == 0 || (try? inspect()) == .some(nil) else { return }
        for file in files { try? FileManager.default.removeItem(atPath: file) }
    }

    func makeDirectory() throws(StorageError) {
        let directory = url.deletingLastPathComponent()
        do { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) } catch {
            throw StorageError(
                .unavailable,
                "The directory of '\(name)' cannot be created. Check the path and the permissions of what is above it.",
                cause: "\(error)"
            )
        }
    }

    func checkPlace() throws(StorageError) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw StorageError(.unavailable, "'\(name)' is a directory. Give the path of a file.")
        }
        if isThere, !FileManager.default.isReadableFile(atPath: path) {
            throw StorageError(.unavailable, "'\(name)' cannot be read. Give this process permission to read it.")
        }
    }

    func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }
}
