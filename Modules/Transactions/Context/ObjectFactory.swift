import CofferSchema
import CofferStorage
import Foundation

/// Creates objects from stored rows, and new objects with default values and a reserved key.
struct ObjectFactory {
    let state: ContextState

    /// Creates objects from the rows that the closure passes to the maker.
    ///
    /// - Parameters:
    ///   - entity: the requested entity.
    ///   - refreshes: whether the rows may be newer than the rows of known objects.
    func makeObjects<Failure>(
        _ entity: Int, _ store: OpenStore, refreshes: Bool = true, _ body: (ObjectMaker) throws(Failure) -> Void
    ) throws(Failure) {
        let storage = store.keySpaces[entity]
        guard let table = state.identities.table(storage) else { return }
        let number = state.identities.batches.nextNumber()
        let maker = ObjectMaker(
            state, table, storage: storage, entity: entity, batch: number, refreshes: refreshes)
        try body(maker)
        state.identities.addBatch(maker.keys, number)
    }

    /// Returns the objects of rows from a store, as one batch.
    ///
    /// - Parameter entity: the requested entity.
    func objects(
        _ rows: [Row], _ entity: Int, _ store: OpenStore, refreshes: Bool = true
    ) -> [CoreStoreObject] {
        var objects: [CoreStoreObject] = []
        objects.reserveCapacity(rows.count)
        makeObjects(entity, store, refreshes: refreshes) { maker in
            for row in rows { objects.append(maker.object(row)) }
        }
        return objects
    }

    /// Returns the objects of rows that an observer has kept, as one batch.
    ///
    /// Known objects keep their values, because an observer that was not yet notified of a commit has older rows.
    func objects(of rows: [Row], storage: UInt32) -> [CoreStoreObject] {
        guard let first = rows.first, let store = state.identities.space(storage)?.store else { return [] }
        return objects(rows, first.entity, store, refreshes: false)
    }

    /// Creates the object of a row that is not yet in a table.
    func makeObject(_ row: consuming Row, _ id: ObjectID) -> CoreStoreObject {
        let entity = state.binding.entities[row.entity]
        return entity.makeObject(RowReference(retaining: row), id, in: state.objectContext)
    }

    /// Creates an object with default values and dynamic initial values.
    func create(in destination: InsertionPoint) throws(StorageError) -> CoreStoreObject {
        let entity = destination.entity
        let key = try destination.nextKey()
        let row = RowBuilder(copying: entity.template, key: key, tailCapacity: tailCapacity(entity)).build()
        let object = entity.makeObject(
            RowReference(retaining: row), ObjectID(storage: destination.storage, key: key), in: state.objectContext)
        object.state = state.editor.watches ? [.isInserted, .isWritable, .isWatched] : [.isInserted, .isWritable]
        destination.table.sweepIfDue()
        destination.table.insert(object, key)
        state.pending.inserted.append(object)
        for (slot, value) in entity.dynamicInitialValues { object.writeInitialValue(value, slot) }
        return object
    }

    /// Creates an object that cannot be saved, because there is no key or no store for it.
    func unsavedObject(of entity: EntityBinding) -> CoreStoreObject {
        let row = RowBuilder(copying: entity.template, key: -1, tailCapacity: tailCapacity(entity)).build()
        let root = state.layout.entities[entity.layout.root].name
        let nowhere = KeySpace(store: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)), entityName: root)
        let object = entity.makeObject(
            RowReference(retaining: row), ObjectID(space: nowhere, key: -1), in: state.objectContext)
        object.state = [.isInserted, .isWritable]
        return object
    }

    /// Adopts an object that a child transaction created.
    func adopt(_ row: Row, in store: OpenStore) -> CoreStoreObject? {
        let number = store.keySpaces[row.entity]
        guard let table = state.identities.table(number) else { return nil }
        if let known = table.object(row.key) { return known }
        let object = makeObject(row, ObjectID(storage: number, key: row.key))
        object.state = state.editor.watches ? [.isInserted, .isWatched] : .isInserted
        table.insert(object, row.key)
        state.pending.inserted.append(object)
        return object
    }

    /// Creates an object; if no key can be reserved, the object cannot be saved.
    func newObject(in destination: InsertionPoint) -> CoreStoreObject {
        state.undo?.hasUnrecordedChanges = true
        do {
            return try create(in: destination)
        } catch {
            state.failures.keep(error, "No key could be reserved. The transaction cannot be saved.", isPartial: true)
            return unsavedObject(of: destination.entity)
        }
    }

    // MARK: New rows

    /// Returns the number of bytes to reserve for the strings of a new row, estimated from the last rows.
    func tailCapacity(_ entity: EntityBinding) -> Int {
        guard entity.layout.hasTail else { return 0 }
        if let last = state.pending.inserted.last { last.held.lent(learnTailCapacity) }
        return max(state.tailSizes[entity.layout.index], entity.template.tailSize + 48)
    }

    /// Records the size of a row; a row with too little room would be copied while the program sets its values.
    private func learnTailCapacity(_ row: Row) {
        let known = state.tailSizes[row.entity]
        state.tailSizes[row.entity] = max(row.tailSize, known - (known - row.tailSize) / 16)
    }
}
