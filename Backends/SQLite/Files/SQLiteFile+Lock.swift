import CofferStorage

/// Locks the file exclusively for migrations and upgrades, and returns the error for a file that is open elsewhere.
extension SQLiteFile {
    /// Begins a transaction while no other connection has the file open.
    ///
    /// - Throws: `busy` if the file is open elsewhere.
    func beginExclusively(_ connection: SQLiteConnection) throws(StorageError) -> SQLiteConnection {
        try connection.prepareInPlace(options)
        try connection.executeInPlace("PRAGMA locking_mode = EXCLUSIVE")
        // The transaction has one commit, which waits for the disk, even if ordinary commits do not wait.
        try connection.executeInPlace("PRAGMA synchronous = FULL")
        if let count = options.maximumPageCount {
            try connection.executeInPlace("PRAGMA max_page_count = \(count)")
        }
        try connection.executeInPlace("BEGIN EXCLUSIVE")
        return connection
    }

    /// Returns the error for a file that is open elsewhere, and must be closed there before an operation.
    func busy(before deed: String) -> StorageError {
        StorageError(
            .busy, "'\(name)' is open elsewhere. Close it there before it is \(deed).", isRetryable: true)
    }
}
