public import CofferStorage
import CofferStorageTools
public import Foundation

/// Loads rows and links into a new file, which appears complete or not at all.
extension SQLiteStore {
    /// Creates the file beside its final path, and renames it to this path when it is complete.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileClosed(orThrow: .openWhileLoading) { file throws(StorageError) in
            try file.load(StoreMetadata(store: store, model: layout.model), layout, fill, verify)
        }
    }
}
