public import CofferStorage

/// Migrates the file of a store to another version of the model in one transaction.
extension SQLiteStore {
    /// Migrates the file through all steps in one transaction, while no other process has the file open.
    ///
    /// - Throws: `busy` if the file is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { file throws(StorageError) in try file.migrate(steps, report) }
    }
}
