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

    /// Returns a reader that takes a connection at its first request, either an idle or a new one.
    ///
    /// - Parameter isCurrent: whether the reader must show all commits of other processes before its first request.
    func makeReader(isCurrent: Bool = false) -> PostgreSQLReader {
        PostgreSQLReader(tables, servers, isCurrent: isCurrent)
    }

    /// Runs the body with the connection for writing, which no other thread uses meanwhile.
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
                // The commit is noted even if it throws an error, because it may have been saved.
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
