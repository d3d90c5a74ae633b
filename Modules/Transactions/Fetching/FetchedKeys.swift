import CofferStorage

/// The ids of the objects of a fetch, in the order of the fetch; with one store, each object needs 8 bytes.
///
/// With several stores, each object needs 12 bytes.
struct FetchedKeys: RandomAccessCollection {
    private let keys: [Int64]
    /// The key space of all keys, or the key space of each key.
    private let spaces: [UInt32]

    /// The keys of one store.
    init(_ keys: [Int64], in space: UInt32) {
        self.keys = keys
        spaces = [space]
    }

    init(_ ids: [ObjectID]) {
        keys = ids.map(\.key)
        spaces = ids.map(\.storage)
    }

    var startIndex: Int { 0 }
    var endIndex: Int { keys.count }

    subscript(index: Int) -> ObjectID {
        ObjectID(storage: spaces.count == 1 ? spaces[0] : spaces[index], key: keys[index])
    }
}
