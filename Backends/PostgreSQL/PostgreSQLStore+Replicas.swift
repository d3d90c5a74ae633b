public import CofferStorage

extension PostgreSQLStore {
    /// A reader of the primary, whatever ``PostgreSQLConfiguration/replicas`` there are.
    public func makeCurrentReader() throws(StorageError) -> any StorageReader {
        try opened().makeReader(isCurrent: true)
    }
}
