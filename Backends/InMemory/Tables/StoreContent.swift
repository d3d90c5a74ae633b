import CofferStorage
import Foundation

/// The content of an open in-memory store: the metadata, the current snapshot and the key counters.
struct StoreContent: Sendable {
    let metadata: StoreMetadata
    let snapshot: Snapshot
    let keys: KeyCounter

    /// A new, empty store.
    init(_ layout: ModelLayout) {
        metadata = StoreMetadata(store: UUID(), model: layout.model)
        snapshot = Snapshot(layout)
        keys = KeyCounter(layout)
    }

    init(metadata: StoreMetadata, snapshot: Snapshot, keys: KeyCounter) {
        self.metadata = metadata
        self.snapshot = snapshot
        self.keys = keys
    }

    func with(_ snapshot: Snapshot) -> StoreContent {
        StoreContent(metadata: metadata, snapshot: snapshot, keys: keys)
    }
}
