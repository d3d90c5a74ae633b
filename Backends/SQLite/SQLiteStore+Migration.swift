public import CofferStorage

extension SQLiteStore {
    /// Takes the file through all steps in one transaction, holding it alone meanwhile.
    ///
    /// - Throws: `busy` when the file is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { file throws(StorageError) in try file.migrate(steps, report) }
    }
}
