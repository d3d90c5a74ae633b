public import CofferStorage

extension PostgreSQLStore {
    /// Takes the store through all steps in one transaction of the database, holding it alone meanwhile.
    ///
    /// - Throws: `busy` when the store is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { database throws(StorageError) in try database.migrate(steps, report) }
    }
}
