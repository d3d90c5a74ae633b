import CofferStorage
import Foundation

/// Switches the file to write-ahead logging, and waits while other processes hold a lock.
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
