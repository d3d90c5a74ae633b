import CofferStorage

/// The stores of a data stack, for the graphs that read from them.
final class StackBacking: GraphBacking, Sendable {
    private let open = Locked<[OpenStore]>([])

    var stores: [OpenStore] { open.withLock { $0 } }

    func makeReader(_ store: OpenStore, isCurrent: Bool) throws(StorageError) -> any StorageReader {
        guard isCurrent, let storage = store.storage as? any ReplicatedStorage else {
            return try store.storage.makeReader()
        }
        return try storage.makeCurrentReader()
    }

    func add(_ store: OpenStore) {
        open.withLock { $0.append(store) }
    }

    /// Takes all stores away and returns them.
    func removeAll() -> [OpenStore] {
        open.withLock { stores in
            defer { stores = [] }
            return stores
        }
    }
}
