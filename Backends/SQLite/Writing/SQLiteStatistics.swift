import CofferSQL
import CofferStorage

/// Keeps the statistics of a table fresh if large commits make the table grow.
struct SQLiteStatistics {
    private var growth = SQLGrowth()
    private static let limit = 1_000

    /// Analyzes the tables that a commit made ten times as large.
    ///
    /// The commit is already saved. If another process writes, or if the file cannot be written, the tables keep
    /// their old statistics.
    mutating func refresh(after changes: ChangeSet, _ writer: SQLiteWriter, busyTimeLimit: Double) {
        let grown = growth.add(changes, to: writer.schema)
        guard !grown.isEmpty else { return }
        let connection = writer.connection
        connection.waits(seconds: 0)
        defer { connection.waits(seconds: busyTimeLimit) }
        for table in grown {
            do throws(StorageError) {
                guard try Self.isOutdated(table, connection) else { continue }
                try Self.limitAnalysis(connection)
                try connection.execute("ANALYZE \(SQLiteDialect().quoted(table.name))")
            } catch {
                return
            }
        }
    }

    /// Limits the entries of each index that the connection reads to analyze a table.
    static func limitAnalysis(_ connection: SQLiteConnection) throws(StorageError) {
        try connection.execute("PRAGMA analysis_limit = \(limit)")
    }

    private static func isOutdated(
        _ table: SQLGrowth.Table, _ connection: SQLiteConnection
    ) throws(StorageError) -> Bool {
        let known = "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'"
        guard try connection.text(known) != nil else { return true }
        let name = table.name.quoted(by: "'")
        let largest = "SELECT MAX(CAST(stat AS INTEGER)) FROM sqlite_stat1 WHERE tbl = \(name) COLLATE NOCASE"
        guard let text = try connection.text(largest), let rows = Int(text) else { return true }
        return rows * (SQLGrowth.factor - 1) <= table.added
    }
}
