public import CofferStorage
public import Foundation

/// Loads the content of a new in-memory store, which appears complete or not at all.
extension InMemoryStore {
    /// Creates the content of a new store, and publishes it when it is complete.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileEmpty { () throws(StorageError) in
            let loader = InMemoryLoader(layout)
            try fill(loader)
            let content = try loader.content(StoreMetadata(store: store, model: layout.model))
            try verify(InMemoryReader(content.snapshot))
            return content
        }
    }
}
