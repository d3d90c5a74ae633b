public import CofferStorage

/// Creates readers that read from the primary and ignore ``PostgreSQLConfiguration/replicas``.
extension PostgreSQLStore {
    /// Returns a reader of the primary, which ignores ``PostgreSQLConfiguration/replicas``.
    public func makeCurrentReader() throws(StorageError) -> any StorageReader {
        try opened().makeReader(isCurrent: true)
    }
}
