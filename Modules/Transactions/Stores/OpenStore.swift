package import CofferStorage
package import CofferStorageTools
import Foundation

/// An open store: reserves keys in blocks, counts commits, keeps merged ids, and limits turns with snapshots to eight.
// Sendable: locks guard the mutable state.
package final class OpenStore: @unchecked Sendable {
    package let storage: any StorageInterface
    package let metadata: StoreMetadata
    package let layout: ModelLayout
    package let resolver: RequestResolver
    /// By the index of an entity, the number of the key space of its root entity.
    package let keySpaces: [UInt32]

    /// The maximum number of turns with a snapshot; then later commits wait for a turn, or join the last turn.
    static let snapshotMaximum = 8
    /// The maximum number of snapshots of the store that the view may keep while commits wait for its queue.
    let snapshotLimit: Int

    /// The blocks of reserved keys, by the index of the root entity.
    private let blocks: Locked<[KeyBlock]>
    private let merged: Locked<[ObjectID: ObjectID]> = Locked([:])

    private let commits = Locked(0)
    let spareTableMemory = SpareTableMemory()

    fileprivate struct KeyBlock {
        var free: Range<Int64> = 0..<0
        var nextSize = 16
    }

    /// - Parameter uuidSlots: by the index of an entity, the slots whose strings are UUIDs.
    init(
        _ storage: any StorageInterface, _ metadata: StoreMetadata, _ layout: ModelLayout, uuidSlots: [ColumnSet]
    ) {
        self.storage = storage
        self.metadata = metadata
        self.layout = layout
        let readerLimit = (storage as? any PooledStorage)?.readerLimit ?? .max
        snapshotLimit = min(Self.snapshotMaximum, (readerLimit - 1) / 4)
        var spaces: [Int: KeySpace] = [:]
        for entity in layout.entities where entity.root == entity.index {
            spaces[entity.index] = KeySpace(store: metadata.store, entityName: entity.name)
        }
        blocks = Locked(Array(repeating: KeyBlock(), count: layout.entities.count))
        resolver = RequestResolver(layout: layout, keySpaces: spaces, uuidSlots: uuidSlots)
        keySpaces = layout.entities.map { entity in
            spaces[entity.root].map(ObjectID.storage(of:)) ?? .max
        }
    }

    /// Returns keys that no object has had: at least one key, and at most `count` keys.
    ///
    /// Keys are reserved from the store in blocks that grow with use.
    func takeKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        let (taken, size) = blocks.withLock { ($0[root].take(count), $0[root].nextSize) }
        if let taken { return taken }
        let block = try named("reserve keys") { () throws(StorageError) in
            try storage.reserveKeys(size, root: root)
        }
        guard !block.isEmpty else { throw StorageError(.failed, "The store reserved no keys.") }
        return blocks.withLock { blocks in
            var reserved = KeyBlock(free: block, nextSize: min(size * 4, 4096))
            let taken = reserved.take(count) ?? block
            blocks[root] = reserved
            return taken
        }
    }

    /// Takes back unused keys if they directly precede the next keys.
    func giveBack(_ keys: Range<Int64>, root: Int) {
        guard !keys.isEmpty else { return }
        blocks.withLock { blocks in
            if blocks[root].free.lowerBound == keys.upperBound {
                blocks[root].free = keys.lowerBound..<blocks[root].free.upperBound
            }
        }
    }

    /// The number of commits of this data stack to the store.
    var commitCount: Int { commits.withLock { $0 } }

    /// Counts a commit, and returns the number of earlier commits.
    func noteCommit() -> Int {
        commits.withLock { commits in
            defer { commits += 1 }
            return commits
        }
    }

    /// Records merged objects, so that their ids still identify the surviving objects.
    func record(_ merges: [CommitResult.Merge]) {
        guard !merges.isEmpty else { return }
        merged.withLock { merged in
            for merge in merges { merged[id(merge.from, of: merge.root)] = id(merge.into, of: merge.root) }
        }
    }

    /// The id of the surviving object if an object was merged into another one; otherwise the same id.
    func survivor(of id: ObjectID) -> ObjectID {
        merged.withLock { merged in
            var id = id
            while let next = merged[id] { id = next }
            return id
        }
    }

    /// Whether any object was merged into another since the store was opened.
    var hasMerges: Bool { merged.withLock { !$0.isEmpty } }

    /// The id of a key of an entity.
    func id(_ key: Int64, of entity: Int) -> ObjectID { ObjectID(storage: keySpaces[entity], key: key) }

    /// Both ends of a link, with the relationships that have the link.
    func ends(of link: ChangeSet.Link) -> [(relationship: Int, owner: ObjectID)] {
        let table = layout.linkTables[link.table]
        return [(table.first, link.first), (table.second, link.second)].map { relationship, key in
            (relationship, id(key, of: layout.relationships[relationship].owner))
        }
    }

    /// The index of the root entity of an id; nil if the id belongs to another store.
    package func root(of id: ObjectID) -> Int? {
        for entity in layout.entities where entity.root == entity.index && keySpaces[entity.index] == id.storage {
            return entity.index
        }
        return nil
    }

    /// Runs the closure; an error receives the name of the operation and of the store.
    func named<Output>(
        _ operation: String, _ body: () throws(StorageError) -> Output
    ) throws(StorageError) -> Output {
        do {
            return try body()
        } catch {
            throw error.adding(operation: operation, store: storage.storeDescription)
        }
    }
}

extension OpenStore.KeyBlock {
    fileprivate mutating func take(_ count: Int) -> Range<Int64>? {
        guard !free.isEmpty else { return nil }
        let taken = free.prefix(count)
        free = taken.upperBound..<free.upperBound
        return taken
    }
}
