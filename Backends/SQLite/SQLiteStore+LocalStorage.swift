public import CofferStorage
import Foundation

extension SQLiteStore {
    /// The options of the store, under their Core Data names.
    ///
    /// A data stack adds two options if it may migrate at once.
    public func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]? {
        guard options.contains(.allowSynchronousLightweightMigration) else { return storeOptions }
        let added: [AnyHashable: Any] = [
            "NSMigratePersistentStoresAutomaticallyOption": true, "NSInferMappingModelAutomaticallyOption": true,
        ]
        return (storeOptions ?? [:]).merging(added) { $1 }
    }

    /// Closes the store and folds what is beside its file into it, so that the file can be copied or moved by itself.
    ///
    /// - Throws: `busy` when the file is open elsewhere.
    public func cs_finalizeStorageAndWait() throws(StorageError) {
        try checkWritable()
        close()
        try file.fold()
    }
}
