import CofferCSQLite
import CofferSQL
import CofferStorage
import Foundation

extension SQLiteWriter {
    /// Reserves keys, in a transaction of its own; for none it only reads.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        guard count > 0 else {
            let next = try nextKey(root)
            return next..<next
        }
        let name = layout.entities[root].name
        return try transaction { () throws(StorageError) in
            let first = try nextKey(root)
            let (end, overflow) = first.addingReportingOverflow(Int64(count))
            guard !overflow else { throw schema.noKeysLeft(root) }
            let set = try connection.statement("INSERT OR REPLACE INTO coffer_keys (root, next) VALUES (?, ?)")
            try set.bind(name, 1)
            set.bind(end, 2)
            try set.check(set.perform())
            return first..<end
        }
    }

    private func nextKey(_ root: Int) throws(StorageError) -> Int64 {
        let find = try connection.statement("SELECT next FROM coffer_keys WHERE root = ?")
        defer { find.reset() }
        try find.bind(layout.entities[root].name, 1)
        guard try find.step() else { return try firstFreeKey(root) }
        guard find.type(0) == SQLITE_INTEGER, find.integer(0) > 0 else {
            throw StorageError(
                .invalidValue,
                "The next key of '\(layout.entities[root].name)' in '\(connection.fileName)' is no positive number. "
                    + "Set it in 'coffer_keys' to one that is above those of all rows.")
        }
        return find.integer(0)
    }

    private func firstFreeKey(_ root: Int) throws(StorageError) -> Int64 {
        let dialect = changes.dialect
        let text = "SELECT MAX(\(SQLTable.key)) FROM \(dialect.quoted(schema.tables[root].name))"
        let highest = max(0, try connection.text(text).flatMap { Int64($0) } ?? 0)
        guard highest < .max else { throw schema.noKeysLeft(root) }
        return highest + 1
    }
}

extension SQLiteConnection {
    /// Switches the file to write-ahead logging, for which SQLite does not wait by itself while others open it.
    ///
    /// - Returns: false when the file was removed meanwhile.
    /// - Throws: `unavailable` when the file keeps another journal mode. SQLite reports no error then, and a transaction
    ///   that reads would keep itself from writing.
    func switchToWAL(timeLimit: Double) throws(StorageError) -> Bool {
        let end = Date(timeIntervalSinceNow: timeLimit)
        while true {
            do throws(StorageError) {
                guard try hold(timeLimit: timeLimit) else { return false }
                let mode = try text("PRAGMA journal_mode = WAL") ?? ""
                guard mode == "wal" else {
                    throw StorageError(
                        .unavailable,
                        "'\(fileName)' has no write-ahead log: its journal mode stays '\(mode)'. Keep it on a local disk, "
                            + "and open it again.")
                }
                return true
            } catch {
                guard error.code == .busy, Date() < end else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
    }
}
