public import CofferStorage

extension PostgreSQLStore {
    /// Returns a reader of the primary, which ignores ``PostgreSQLConfiguration/replicas``.
    public func makeCurrentReader() throws(StorageError) -> any StorageReader {
        try opened().makeReader(isCurrent: true)
    }
}
