import CofferSchema
import CofferStorage

/// The changes of a commit for one store: the change set, and the changed objects.
struct StoreChanges {
    let store: OpenStore
    var set = ChangeSet()
    var updated: [CoreStoreObject] = []
    var deleted: [CoreStoreObject] = []
    var relationships: Set<Int> = []
    /// The sides of ordered many-to-many relationships whose remaining members have a new order.
    var reordered: [PendingChanges.Side] = []
}

/// The changes of all stores that have changes, in the order in which the stores were added.
struct ChangesByStore {
    private(set) var all: [StoreChanges] = []

    /// The changes of a store; writing adds the store if necessary.
    subscript(store: OpenStore) -> StoreChanges {
        _read { yield all[all.firstIndex { $0.store === store } ?? 0] }
        _modify {
            let known = all.firstIndex { $0.store === store }
            if known == nil { all.append(StoreChanges(store: store)) }
            yield &all[known ?? all.count - 1]
        }
    }
}
