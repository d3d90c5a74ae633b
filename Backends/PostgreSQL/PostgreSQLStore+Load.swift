public import CofferStorage
import CofferStorageTools
public import Foundation

/// Loads rows and links into a new store, in one transaction that also creates the tables.
extension PostgreSQLStore {
    /// Creates the tables and their content in one transaction.
    ///
    /// The connection writes rows and links with `COPY`, and reads them back before it commits.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileClosed(orThrow: .openWhileLoading) { database throws(StorageError) in
            try database.load(StoreMetadata(store: store, model: layout.model), layout, fill, verify)
        }
    }
}
