public import CofferStorage

/// Reports the size of the file and its write-ahead log, and the damage that SQLite finds.
extension SQLiteStore {
    /// The size of the file and of its write-ahead log.
    public func byteCount() throws(StorageError) -> Int64? { file.byteCount }

    /// Returns the problems that SQLite finds in the file.
    public func damage() throws(StorageError) -> [String] { try file.damage() }
}
