public import CofferStorage

extension SQLiteStore {
    /// The size of the file and of the log beside it.
    public func byteCount() throws(StorageError) -> Int64? { file.byteCount }

    /// What SQLite finds when it checks the file.
    public func damage() throws(StorageError) -> [String] { try file.damage() }
}
