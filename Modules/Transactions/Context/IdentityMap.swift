import CofferSchema
import CofferStorage

/// The identity map of one context: one object for each row, in one table for each key space.
final class IdentityMap {
    @exclusivity(unchecked) private(set) var stores: StoreList
    /// The batches of objects that were fetched together.
    @exclusivity(unchecked) var batches = ObjectBatches()
    @exclusivity(unchecked) private var tables: [UInt32: Space] = [:]
    @exclusivity(unchecked) private var lastSpace: UInt32 = .max
    @exclusivity(unchecked) private var last: Space?

    /// A key space: the table of its objects, its store, and the root entity of its rows.
    struct Space {
        let table: IdentityTable
        let store: OpenStore
        let root: Int
    }

    init(_ stores: StoreList) { self.stores = stores }

    /// The current stores, or the stores at the first access if the list is fixed.
    var currentStores: [OpenStore] { stores.current() }

    // MARK: Tables

    /// A key space of one of the stores.
    @inline(__always)
    func space(_ number: UInt32) -> Space? {
        if number == lastSpace { return last }
        last = tables[number] ?? makeSpace(number)
        lastSpace = last == nil ? .max : number
        return last
    }

    private func makeSpace(_ number: UInt32) -> Space? {
        for store in currentStores {
            guard let root = store.root(of: ObjectID(storage: number, key: 0)) else { continue }
            let made = Space(table: IdentityTable(store.spareTableMemory), store: store, root: root)
            tables[number] = made
            return made
        }
        return nil
    }

    /// The table of a key space.
    @inline(__always)
    func table(_ number: UInt32) -> IdentityTable? { space(number)?.table }

    /// Returns the store that contains an object, or will contain it after the commit.
    func store(of object: CoreStoreObject) -> OpenStore? { store(of: object.id) }

    /// Returns the store of an id.
    func store(of id: ObjectID) -> OpenStore? { space(id.storage)?.store }

    /// Returns the known object with an id, even if it is deleted.
    func object(_ id: ObjectID) -> CoreStoreObject? { table(id.storage)?.object(id.key) }

    /// Returns the known object of a row, even if it is deleted.
    func object(of row: Row, in store: OpenStore) -> CoreStoreObject? {
        table(store.keySpaces[row.entity])?.object(row.key)
    }

    /// Returns the known object with an id, unless it is deleted.
    func knownObject(_ id: ObjectID) -> CoreStoreObject? {
        guard let known = object(id), !known.isDeleted else { return nil }
        return known
    }

    /// Returns the id of the surviving object if a commit merged the row; otherwise the same id.
    func survivor(of id: ObjectID) -> ObjectID { store(of: id)?.survivor(of: id) ?? id }

    /// Releases the object with an id.
    func remove(_ id: ObjectID) { table(id.storage)?.remove(id.key) }

    // MARK: All objects

    /// Whether there are known objects.
    var hasObjects: Bool { tables.values.contains { $0.table.count > 0 } }

    private var objectCount: Int { tables.values.reduce(0) { $0 + $1.table.count } }

    /// Every known object.
    var allObjects: [CoreStoreObject] {
        var objects: [CoreStoreObject] = []
        forEachObject { objects.append($0) }
        return objects
    }

    /// Calls a closure with every known object.
    func forEachObject(_ body: (CoreStoreObject) -> Void) {
        for space in tables.values { space.table.forEach(body) }
    }

    /// Calls a closure with every known object that has loaded a to-many relationship.
    func forEachLoadedOwner(_ body: (CoreStoreObject, ObjectAttachment) -> Void) {
        forEachObject { object in
            if let attachment = object.attachment, !attachment.relatedKeys.isEmpty { body(object, attachment) }
        }
    }

    /// Releases the objects that only the tables retain.
    func sweep() {
        for space in tables.values { space.table.sweep() }
    }

    /// Releases the objects of stores that were removed.
    func forget(_ removed: [OpenStore]) {
        for (number, space) in tables where removed.contains(where: { $0 === space.store }) {
            space.table.removeAll()
            tables[number] = nil
        }
        stores.forget(removed)
        lastSpace = .max
        last = nil
    }

    /// Releases all objects.
    func removeAll() {
        for space in tables.values { space.table.removeAll() }
        tables = [:]
        lastSpace = .max
        last = nil
    }

    // MARK: Batches

    /// Combines objects into one batch, so that a relationship is read for all of them at once.
    func batch(_ objects: [CoreStoreObject]) {
        for members in Dictionary(grouping: objects, by: \.id.storage).values {
            let number = members.count > 1 ? batches.nextNumber() : 0
            for member in members { member.batch = number }
            addBatch(Array(Set(members.map(\.id.key))), number)
        }
    }

    /// Records the keys of a batch.
    func addBatch(_ keys: [Int64], _ number: UInt32) {
        batches.add(keys, number, objectCount: objectCount) { use in forEachObject { use($0.batch) } }
    }
}
