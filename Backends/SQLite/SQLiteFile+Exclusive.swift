import CofferStorage
import Foundation

extension SQLiteFile {
    /// A connection in a transaction in which nobody else has the file open.
    ///
    /// - Parameters:
    ///   - deed: what is to be done to the file, for the error.
    ///   - end: when to give up, after one attempt at least.
    /// - Throws: `busy` when the file is open elsewhere.
    func exclusiveConnection(before deed: String, until end: Date) throws(StorageError) -> SQLiteConnection {
        while true {
            do throws(StorageError) {
                return try exclusiveConnection()
            } catch {
                guard error.code == .busy else { throw error }
                guard Date() < end else {
                    throw StorageError(
                        .busy, "'\(name)' is open elsewhere. Close it there before it is \(deed).", isRetryable: true,
                        cause: error.cause)
                }
            }
            Self.waitForOthers()
        }
    }

    /// Does not wait, and leaves no connection when it fails.
    ///
    /// SQLite keeps its shared lock while it waits for those of others to end: two that want the file alone would wait
    /// for each other.
    private func exclusiveConnection() throws(StorageError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: path, access: .write(creates: false), configuration: configuration)
        try connection.execute("PRAGMA busy_timeout = 0")
        try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        // One commit, and one wait for the disk: also where ordinary commits do not.
        try connection.execute("PRAGMA synchronous = FULL")
        if let count = configuration.maximumPageCount { try connection.execute("PRAGMA max_page_count = \(count)") }
        try connection.execute("BEGIN EXCLUSIVE")
        return connection
    }

    /// Waits a little, and not as long as the others do.
    static func waitForOthers() { Thread.sleep(forTimeInterval: .random(in: 0.005...0.03)) }
}
