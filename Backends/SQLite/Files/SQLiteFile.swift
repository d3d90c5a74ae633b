import CofferSQL
import CofferStorage
import Foundation

/// Creates, opens and inspects the file of a store; checks its path, its directory and its permissions.
struct SQLiteFile {
    let path: String
    let options: SQLiteConfiguration

    var url: URL { URL(filePath: path) }
    var name: String { name(path) }
    private var isThere: Bool { isThere(path) }

    /// Returns the metadata of the file, without creating or changing anything.
    func inspect() throws(StorageError) -> StoreMetadata? {
        guard isThere else { return nil }
        try checkPlace()
        let end = Date(timeIntervalSinceNow: max(options.busyTimeLimit, 1))
        while size(path) > 0 {
            guard Date() < end else { throw .removedMeanwhile(name) }
            // The connection keeps the file at its path, and other processes can write only to a log.
            guard let connection = try connection(.read) else { return nil }
            // In WAL mode, opening a file creates two files beside it, unless no other process has it open and it
            // cannot change.
            guard size(path + "-wal") == 0 else {
                do throws(StorageError) {
                    try connection.prepareInPlace(options, timeLimit: options.busyTimeLimit)
                    guard try connection.hold(timeLimit: options.busyTimeLimit) else { continue }
                    return try SQLiteSchema.metadata(connection)
                } catch {
                    if connection.hasMoved { continue }
                    throw error
                }
            }
            let found = Result { () throws(StorageError) in
                try SQLiteSchema.metadata(
                    SQLiteConnection(path: path, access: .immutable, options: options))
            }
            // If there is no log yet, the file did not change.
            if size(path + "-wal") == 0, !connection.hasMoved { return try found.get() }
        }
        return nil
    }

    /// Opens the file, and creates it if it does not exist.
    func open(_ layout: ModelLayout) throws(StorageError) -> SQLiteOpenedFile {
        try makeDirectory()
        try checkPlace()
        var end = Date(timeIntervalSinceNow: options.busyTimeLimit)
        while true {
            switch try attempt(layout) {
            case .opened(let file): return file
            case .removed: guard Date() < end else { throw .removedMeanwhile(name) }
            case .outdated:
                // An upgrade may take longer than the busy time limit.
                if try upgrade(until: end) { end = Date(timeIntervalSinceNow: options.busyTimeLimit) }
            }
        }
    }

    /// The result of an attempt to open the file.
    private enum Attempt {
        case opened(SQLiteOpenedFile)
        /// Another process removed the file meanwhile.
        case removed
        /// The file has an older format; all connections of this attempt are closed.
        case outdated
    }

    private func attempt(_ layout: ModelLayout) throws(StorageError) -> Attempt {
        let made = makeEmpty()
        try checkNames()
        guard let connection = try connection(.write(creates: true)) else { return .removed }
        do throws(StorageError) {
            return try attempt(layout, connection)
        } catch {
            // SQLite cannot create a write-ahead log for a file that is no longer at its path.
            if connection.hasMoved || connection.hasLostJournal { return .removed }
            if let made { remove(connection, ifStill: made) }
            throw error
        }
    }

    private func attempt(_ layout: ModelLayout, _ connection: SQLiteConnection) throws(StorageError) -> Attempt {
        let timeLimit = options.busyTimeLimit
        try connection.prepareInPlace(options, timeLimit: timeLimit)
        // Before any change, check that the file is a store of Coffer.
        guard try connection.hold(timeLimit: timeLimit) else { return .removed }
        let found = try SQLiteSchema.description(connection)
        guard !connection.isReadOnly else {
            throw StorageError(
                .readOnly, "'\(name)' cannot be written. Give this process permission to write it."
            )
        }
        if let found, found.format != .current { return .outdated }
        guard try connection.switchToWAL(timeLimit: timeLimit) else { return .removed }
        try connection.executeInPlace(
            "PRAGMA synchronous = \(options.synchronous.rawValue)", timeLimit: timeLimit)
        if let count = options.maximumPageCount {
            try connection.executeInPlace("PRAGMA max_page_count = \(count)", timeLimit: timeLimit)
        }
        let schema = SQLSchema(layout)
        try connection.executeInPlace("BEGIN IMMEDIATE", timeLimit: timeLimit)
        do {
            guard !connection.hasMoved else {
                connection.rollBack()
                return .removed
            }
            let metadata = try prepare(SQLiteSchema(schema: schema), connection)
            try connection.execute("COMMIT")
            return .opened(SQLiteOpenedFile(path: path, connection: connection, metadata: metadata, schema: schema))
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Creates the tables, or compares the existing tables with the model.
    private func prepare(_ schema: SQLiteSchema, _ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata {
        guard let metadata = try SQLiteSchema.metadata(connection) else { return try schema.create(connection) }
        return try schema.refresh(metadata, of: name, connection)
    }

    /// Merges the log into the file, so that the store consists of one file.
    ///
    /// If there is no file, the call does nothing.
    func fold() throws(StorageError) {
        guard isThere else { return }
        try checkNames()
        guard let connection = try connection(.write(creates: false)) else { return }
        let timeLimit = options.busyTimeLimit
        try connection.prepareInPlace(options, timeLimit: timeLimit)
        guard try connection.hold(timeLimit: timeLimit) else { throw .removedMeanwhile(name) }
        _ = try SQLiteSchema.metadata(connection)
        guard try connection.hold(timeLimit: timeLimit) else { throw .removedMeanwhile(name) }
        guard try connection.text("PRAGMA journal_mode = DELETE") == "delete" else {
            throw StorageError(
                .busy, "'\(name)' is open elsewhere. Close it there before the file is copied or moved.",
                isRetryable: true
            )
        }
    }

    func name(_ path: String) -> String { URL(filePath: path).path }

    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// The paths of the file and of the files that SQLite keeps beside it.
    var files: [String] { SQLitePlace.files(path) }

    func makeDirectory() throws(StorageError) {
        let directory = url.deletingLastPathComponent()
        do { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) } catch {
            throw StorageError(
                .unavailable,
                "The directory of '\(name)' cannot be created. Check its path, and the permissions of its parent.",
                cause: "\(error)"
            )
        }
    }

    func checkPlace() throws(StorageError) {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw StorageError(.unavailable, "'\(name)' is a directory. Give the path of a file.")
        }
        // Another process may remove the file in between, so only a denied access is an error.
        if isThere, access(path, R_OK) != 0, errno == EACCES {
            throw StorageError(.unavailable, "'\(name)' cannot be read. Give this process permission to read it.")
        }
    }

    func size(_ path: String) -> Int { SQLitePlace.size(path) }
}
