import CofferSchema
import CofferStorage

/// Adds the operation and the name of the store to the errors of a migration.
extension StorageInterface {
    /// Runs a part of a migration, and adds the operation and the name of the store to an error.
    func inMigration<Output>(_ body: () throws(StorageError) -> Output) throws(CoreStoreError) -> Output {
        try CoreStoreError.converting { () throws(StorageError) in
            do throws(StorageError) {
                return try body()
            } catch {
                throw error.adding(operation: "migrate", store: storeDescription)
            }
        }
    }
}
