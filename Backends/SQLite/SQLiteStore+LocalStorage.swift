public import CofferStorage
import Foundation

extension SQLiteStore {
    /// The options that a data stack passes on, by the names Core Data gave them: nil unless migration is allowed.
    public func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]? {
        guard options.contains(.allowSynchronousLightweightMigration) else { return nil }
        return ["NSMigratePersistentStoresAutomaticallyOption": true, "NSInferMappingModelAutomaticallyOption": true]
    }

    /// Closes the store and folds what is beside its file into it, so that the file can be copied or moved by itself.
    ///
    /// - Throws: `busy` when the file is open elsewhere.
    public func cs_finalizeStorageAndWait() throws(StorageError) {
        try checkWritable()
        close()
        try SQLiteFile(fileURL.path(percentEncoded: false), settings).fold()
    }
}
