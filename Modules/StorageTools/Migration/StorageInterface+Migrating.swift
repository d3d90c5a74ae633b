public import CofferStorage

/// Migrates a closed store through all steps or none; refuses a backend that cannot migrate.
extension StorageInterface {
    /// Migrates a closed store by some steps; either all steps are completed, or none.
    ///
    /// - Throws: `unsupported` if the store does not support migrations, `schemaMismatch` if the plan does not define a
    ///   step completely, `uniqueViolation`, `invalidValue`.
    @discardableResult
    public func migrate(
        along steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void = { _ in }
    ) throws(StorageError) -> StoreMetadata {
        do throws(StorageError) {
            guard let store = self as? any MigratableStorage else {
                throw StorageError(
                    .unsupported,
                    "\(storeDescription) cannot migrate. Open a fresh store, or use one that conforms to "
                        + "MigratableStorage."
                )
            }
            return try store.migrate(steps, report: report)
        } catch {
            throw error.adding(operation: "migrate", store: storeDescription)
        }
    }
}
