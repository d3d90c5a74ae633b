public import CofferStorage

/// Returns the Core Data names of the store options, and merges the write-ahead log into the file.
extension SQLiteStore {
    /// Returns the options of the store, under their Core Data names.
    ///
    /// If the data stack may migrate synchronously, it adds two options.
    public func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]? {
        guard options.contains(.allowSynchronousLightweightMigration) else { return storeOptions }
        let added: [AnyHashable: Any] = [
            "NSMigratePersistentStoresAutomaticallyOption": true, "NSInferMappingModelAutomaticallyOption": true,
        ]
        return (storeOptions ?? [:]).merging(added) { $1 }
    }

    /// Closes the store, and merges its write-ahead log into the file.
    ///
    /// The file can then be copied or moved alone.
    ///
    /// - Throws: `busy` if the file is open elsewhere.
    public func cs_finalizeStorageAndWait() throws(StorageError) {
        try checkWritable()
        close()
        try file.fold()
    }
}
