public import CofferStorage

extension StorageInterface {
    /// Takes the store, which is closed, through some steps, all of them or none.
    ///
    /// - Throws: `unsupported` when the store cannot migrate, `schemaMismatch` when a step cannot be made without more
    ///   being said, `uniqueViolation`, `invalidValue`.
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
