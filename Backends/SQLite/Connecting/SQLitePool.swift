import CofferStorage

/// A pool of read connections, which keeps a limited number of idle connections.
final class SQLitePool: Sendable {
    private let path: String
    private let access: SQLiteConnection.Access
    private let options: SQLiteConfiguration
    /// The statements that each connection runs first.
    private let preparation: [String]
    /// The identity of the opened file; nil if the file is not at its path yet.
    private let place: SQLitePlace?
    /// The idle connections; nil after the store was closed.
    private let idle = Locked<[SQLiteConnection]?>([])

    static let closed = StorageError(.closed, "The store is not open. Open it first.")

    /// - Parameter preparation: the statements that each connection runs first.
    init(
        _ path: String, _ access: SQLiteConnection.Access, _ options: SQLiteConfiguration, preparation: [String] = []
    ) {
        self.path = path
        self.access = access
        self.options = options
        self.preparation = preparation
        place = SQLitePlace(path)
    }

    /// Returns an idle connection for reading, or a new one.
    func take() throws(StorageError) -> SQLiteConnection {
        let idleConnection = try idle.withLock { idle throws(StorageError) in
            guard idle != nil else { throw Self.closed }
            // The file that is now at the path may be another store.
            guard SQLitePlace(path) == place else { throw .moved(path) }
            return idle?.popLast()
        }
        if let idleConnection { return idleConnection }
        let connection = try SQLiteConnection(path: path, access: access, options: options)
        guard !connection.hasMoved else { throw .moved(path) }
        for statement in preparation { try connection.execute(statement) }
        return connection
    }

    /// Ends the snapshot of a connection, and keeps the connection if few are idle.
    func giveBack(_ connection: SQLiteConnection) {
        if connection.isInTransaction { try? connection.run("COMMIT") }
        guard !connection.isInTransaction else { return }
        idle.withLock { idle in
            if let count = idle?.count, count < options.idleReaders { idle?.append(connection) }
        }
    }

    /// Closes the idle connections; connections in use are closed when they are given back.
    func close() { idle.withLock { $0 = nil } }
}
