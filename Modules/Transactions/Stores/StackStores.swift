import CofferStorage

/// The list of the open stores of a data stack: adds and removes stores, and creates their readers.
final class StackStores: ReaderSource, Sendable {
    private let open = Locked<(stores: [OpenStore], wereRemoved: Bool)>(([], false))

    var stores: [OpenStore] { open.withLock { $0.stores } }

    var hasRemovedStores: Bool { open.withLock { $0.wereRemoved } }

    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader {
        guard isCurrent, let storage = store.storage as? any ReplicatedStorage else {
            return try store.storage.makeReader()
        }
        return try storage.makeCurrentReader()
    }

    func add(_ store: OpenStore) { open.withLock { $0 = ($0.stores + [store], false) } }

    /// Removes and returns all stores.
    func removeAll() -> [OpenStore] {
        open.withLock { open in
            defer { open = ([], open.wereRemoved || !open.stores.isEmpty) }
            return open.stores
        }
    }
}
