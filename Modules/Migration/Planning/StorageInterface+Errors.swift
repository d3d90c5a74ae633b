import CofferSchema
import CofferStorage

extension StorageInterface {
    /// Runs a part of a migration. An error gets the operation and the name of the store.
    func inMigration<Output>(
        _ body: () throws(StorageError) -> Output
    ) throws(CoreStoreError) -> Output {
        try CoreStoreError.converting { () throws(StorageError) in
            do throws(StorageError) {
                return try body()
            } catch {
                throw error.adding(operation: "migrate", store: storeDescription)
            }
        }
    }
}
