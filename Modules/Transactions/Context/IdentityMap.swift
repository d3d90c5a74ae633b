import CofferSchema
import CofferStorage

/// The identity map of one context: one object for each row, in one table for each key space.
final class IdentityMap {
    @exclusivity(unchecked) private(set) var stores: StoreList
    /// Which objects were fetched together.
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

    /// The stores as they are now, or as they were at the first look.
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
            let made = Space(table: IdentityTable(), store: store, root: root)
            tables[number] = made
            return made
        }
        return nil
    }

    /// The table of a key space.
    @inline(__always)
    func table(_ number: UInt32) -> IdentityTable? { space(number)?.table }

    /// The store that an object is in, or will be in.
    func store(of object: CoreStoreObject) -> OpenStore? { store(of: object.id) }

    /// The store of an id.
    func store(of id: ObjectID) -> OpenStore? { space(id.storage)?.store }

    /// The known object with an id, also a deleted one.
    func object(_ id: ObjectID) -> CoreStoreObject? { table(id.storage)?.object(id.key) }

    /// The known object of a row, also a deleted one.
    func object(of row: Row, in store: OpenStore) -> CoreStoreObject? {
        table(store.keySpaces[row.entity])?.object(row.key)
    }

    /// The known object with an id, when it was not deleted.
    func knownObject(_ id: ObjectID) -> CoreStoreObject? {
        guard let known = object(id), !known.isDeleted else { return nil }
        return known
    }

    /// The id of the object that took over from another when that was saved; otherwise the same id.
    func survivor(of id: ObjectID) -> ObjectID { store(of: id)?.survivor(of: id) ?? id }

    /// Releases the object with an id.
    func remove(_ id: ObjectID) { table(id.storage)?.remove(id.key) }

    // MARK: All objects

    /// Whether there are objects.
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

    /// Calls a closure with every known object that has looked at a to-many relationship.
    func forEachLoadedOwner(_ body: (CoreStoreObject, ObjectAttachment) -> Void) {
        forEachObject { object in
            if let attachment = object.attachment, !attachment.relatedKeys.isEmpty { body(object, attachment) }
        }
    }

    /// Releases the objects that nothing else holds.
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

    /// Makes objects one batch, so that a relationship that all of them had loaded is read at once.
    func batch(_ objects: [CoreStoreObject]) {
        for members in Dictionary(grouping: objects, by: \.id.storage).values {
            let number = members.count > 1 ? batches.nextNumber() : 0
            for member in members { member.batch = number }
            addBatch(Array(Set(members.map(\.id.key))), number)
        }
    }

    /// Remembers the keys of a batch.
    func addBatch(_ keys: [Int64], _ number: UInt32) {
        batches.add(keys, number, objectCount: objectCount) { use in forEachObject { use($0.batch) } }
    }
}
