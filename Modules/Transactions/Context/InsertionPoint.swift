import CofferSchema
import CofferStorage

/// The entity, the store and the reserved keys for new objects of one class.
final class InsertionPoint {
    let entity: EntityBinding
    let store: OpenStore
    /// The number of the store's key space.
    let storage: UInt32
    let table: IdentityTable

    /// The keys that were reserved in the store and are not used yet.
    @exclusivity(unchecked) private var keys: Range<Int64> = 0..<0
    @exclusivity(unchecked) private var nextCount = 1

    init(_ entity: EntityBinding, _ store: OpenStore, _ table: IdentityTable) {
        self.entity = entity
        self.store = store
        storage = store.keySpaces[entity.layout.index]
        self.table = table
    }

    deinit { store.giveBack(keys, root: entity.layout.root) }

    /// Returns a key that no object has had.
    func nextKey() throws(StorageError) -> Int64 {
        if keys.isEmpty {
            keys = try store.takeKeys(nextCount, root: entity.layout.root)
            nextCount = min(nextCount * 2, 64)
        }
        let key = keys.lowerBound
        keys = (key + 1)..<keys.upperBound
        return key
    }
}
