public import CofferStorage

/// Migrates a store to another version of the model in one transaction.
extension PostgreSQLStore {
    /// Migrates the store through all steps in one transaction, while no other process has the store open.
    ///
    /// - Throws: `busy` if the store is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { database throws(StorageError) in try database.migrate(steps, report) }
    }
}
