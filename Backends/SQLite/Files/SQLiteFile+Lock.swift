import CofferStorage

/// Locks the file exclusively for migrations and upgrades; has the error for a file that is open elsewhere.
extension SQLiteFile {
    /// Begins a transaction in which nobody else has the file open.
    ///
    /// - Throws: `busy` when it is open elsewhere.
    func beginExclusively(_ connection: SQLiteConnection) throws(StorageError) -> SQLiteConnection {
        try connection.prepareInPlace(options)
        try connection.executeInPlace("PRAGMA locking_mode = EXCLUSIVE")
        // One commit, and one wait for the disk: also where ordinary commits do not.
        try connection.executeInPlace("PRAGMA synchronous = FULL")
        if let count = options.maximumPageCount {
            try connection.executeInPlace("PRAGMA max_page_count = \(count)")
        }
        try connection.executeInPlace("BEGIN EXCLUSIVE")
        return connection
    }

    /// The file is open elsewhere, and something is to be done to it.
    func busy(before deed: String) -> StorageError {
        StorageError(
            .busy, "'\(name)' is open elsewhere. Close it there before it is \(deed).", isRetryable: true)
    }
}
