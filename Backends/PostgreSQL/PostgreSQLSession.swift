import CofferStorage
import CofferStorageTools

/// The state of an open store: its tables, the pools of its servers, and the connection for writing.
final class PostgreSQLSession: Sendable {
    let metadata: StoreMetadata
    let servers: PostgreSQLServers
    private let tables: PostgreSQLTables
    private let writer: Locked<PostgreSQLWriter?>
    private let statistics = Locked(PostgreSQLStatistics())

    var layout: ModelLayout { tables.layout }

    init(_ opened: PostgreSQLOpenedDatabase, _ configuration: PostgreSQLConfiguration) throws(StorageError) {
        metadata = opened.metadata
        let tables = PostgreSQLTables(opened.schema)
        self.tables = tables
        servers = PostgreSQLServers(
            PostgreSQLPool(opened.database.address, configuration),
            try PostgreSQLReplicas.find(configuration, opened.metadata, opened.connection))
        writer = Locked(PostgreSQLWriter(opened, tables, repetitionLimit: configuration.repetitionLimit))
    }

    /// A reader that takes a connection at its first request, from the idle ones or a new one.
    ///
    /// - Parameter isCurrent: whether it must show what other processes have committed by then.
    func makeReader(isCurrent: Bool = false) -> PostgreSQLReader {
        PostgreSQLReader(tables, servers, isCurrent: isCurrent)
    }

    /// Runs the body with the connection that writes, alone in this process.
    func write<Result: Sendable>(
        _ body: (PostgreSQLWriter) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try writer.withLock { writer throws(StorageError) in
            guard let writer else { throw PostgreSQLPool.closed }
            servers.settle()
            return try body(writer)
        }
    }

    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try changes.checkNumbers(layout)
        return try write { writer throws(StorageError) in
            let result: CommitResult
            do {
                // Also when it throws: it may have been made.
                defer { servers.noteCommit(on: writer.connection) }
                result = try writer.commit(changes)
            }
            statistics.withLock { $0.refresh(after: changes, to: writer.schema, in: writer.database) }
            return result
        }
    }

    func close() {
        servers.close()
        writer.withLock { $0 = nil }
    }
}
