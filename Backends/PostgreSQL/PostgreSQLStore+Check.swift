public import CofferStorage

/// Reports the size of the tables and indexes, for checks of a store.
extension PostgreSQLStore {
    /// The size of the tables with their indexes.
    public func byteCount() throws(StorageError) -> Int64? { try database.byteCount() }

    /// Returns no damage.
    ///
    /// A server maintains its own files, and has its own tools to repair them.
    public func damage() throws(StorageError) -> [String] { [] }
}
