import CofferStorage
import CofferStorageTools

/// The state of an open store: its tables, the pool of read connections, and the connection for writing.
final class SQLiteSession: Sendable {
    let metadata: StoreMetadata
    private let tables: SQLiteTables
    private let pool: SQLitePool
    /// The state of a read-only file when it was opened.
    private let stamp: SQLiteStamp?
    private let writer: Locked<SQLiteWriter?>
    private let statistics = Locked(SQLiteStatistics())
    private let busyTimeLimit: Double

    var layout: ModelLayout { tables.layout }

    init(_ file: SQLiteOpenedFile, _ configuration: SQLiteConfiguration) {
        metadata = file.metadata
        stamp = file.stamp
        tables = SQLiteTables(file.schema)
        pool = SQLitePool(
            file.path, file.stamp == nil ? .read : .immutable, configuration, preparation: file.views)
        busyTimeLimit = configuration.busyTimeLimit
        file.connection.keepLog()
        writer = Locked(SQLiteWriter(file.connection, tables))
    }

    /// Returns a reader that has a separate connection, either an idle or a new one.
    func makeReader() throws(StorageError) -> any StorageReader {
        let reader = SQLiteReader(tables, try pool.take(), from: pool)
        return stamp.map { SQLiteUnlockedReader(reader, $0) } ?? reader
    }

    /// Reserves keys in a separate transaction, which increases the next key in the file.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try stamp?.checkUnchanged()
        return try write { writer throws(StorageError) in try writer.reserveKeys(count, root: root) }
    }

    /// Saves all changes in one transaction of the database.
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try changes.checkNumbers(layout)
        return try write { writer throws(StorageError) in
            let result = try writer.commit(changes)
            statistics.withLock { $0.refresh(after: changes, writer, busyTimeLimit: busyTimeLimit) }
            return result
        }
    }

    /// Runs the body with the connection for writing, which no other thread uses meanwhile.
    func write<Result: Sendable>(
        _ body: (SQLiteWriter) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try writer.withLock { writer throws(StorageError) in
            guard let writer else { throw SQLitePool.closed }
            return try body(writer)
        }
    }

    func close() {
        pool.close()
        writer.withLock { $0 = nil }
    }
}
