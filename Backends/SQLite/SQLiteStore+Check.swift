public import CofferStorage

/// Makes `SQLiteStore` a store that reports its size and its damage: `byteCount()` and `damage()`.
extension SQLiteStore {
    /// The size of the file and of its write-ahead log.
    public func byteCount() throws(StorageError) -> Int64? { file.byteCount }

    /// Returns the problems that SQLite finds in the file.
    public func damage() throws(StorageError) -> [String] { try file.damage() }
}
