import CofferStorage
import Foundation

/// The content of an open in-memory store: the metadata, the current snapshot and the key counters.
struct StoreContent: Sendable {
    let metadata: StoreMetadata
    var snapshot: Snapshot
    let keys: KeyCounter
}

extension StoreContent {
    /// Creates the content of a new, empty store.
    init(_ layout: ModelLayout) {
        self.init(
            metadata: StoreMetadata(store: UUID(), model: layout.model), snapshot: Snapshot(layout),
            keys: KeyCounter(layout))
    }
}
