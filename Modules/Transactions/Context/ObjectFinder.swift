import CofferSchema
import CofferStorage

/// Finds objects by ids in the context or in the stores; throws `closed` for an id of a removed store.
struct ObjectFinder {
    let state: ContextState

    /// Returns the object with an id, known or read; nil if there is no such row, or if it was deleted here.
    func object(_ id: ObjectID) throws(StorageError) -> CoreStoreObject? {
        guard let space = state.identities.space(id.storage) else {
            try checkStores(of: id)
            return nil
        }
        let table = space.table
        let known = table.object(id.key)
        if let known {
            guard known.isDeleted else { return known }
            guard state.merger.mayReturn(known) else { return nil }
        }
        var row = try state.readers.read(space.store, "fetch") { reader throws(StorageError) in
            try reader.row(root: space.root, key: id.key)
        }
        if row == nil {
            let survivor = space.store.survivor(of: id)
            if survivor != id { return try object(survivor) }
        }
        guard let row = row.take() else { return nil }
        if let known = known ?? table.object(id.key) {
            if known.held.version != row.version || state.readsPendingRows { state.merger.refresh(known, row) }
            known.batch = 0
            return known
        }
        table.sweepIfDue()
        let object = state.factory.makeObject(row, id)
        table.insert(object, id.key)
        return object
    }

    /// Returns the objects with some ids, in the order of the ids; ids without an object are left out.
    func objects(_ ids: [ObjectID]) throws(StorageError) -> [CoreStoreObject] {
        let ids = survivors(of: ids)
        var missing: [UInt32: [Int64]] = [:]
        for id in ids {
            let known = state.identities.object(id)
            if known.map(state.merger.mayReturn) ?? true { missing[id.storage, default: []].append(id.key) }
        }
        var loaded: [CoreStoreObject] = []
        for (number, keys) in missing {
            guard let space = state.identities.space(number) else {
                for key in keys { try checkStores(of: ObjectID(storage: number, key: key)) }
                continue
            }
            let rows = try state.readers.rows(keys, root: space.root, space.store, "fetch")
            loaded += state.factory.objects(rows, space.root, space.store)
        }
        return try withExtendedLifetime(loaded) { () throws(StorageError) in
            var result: [CoreStoreObject] = []
            result.reserveCapacity(ids.count)
            for id in ids {
                guard let space = state.identities.space(id.storage) else { continue }
                if let known = space.table.object(id.key) {
                    if !known.isDeleted { result.append(known) }
                } else if case let survivor = space.store.survivor(of: id), survivor != id,
                    let object = try object(survivor)
                {
                    result.append(object)
                }
            }
            return result
        }
    }

    /// Throws `closed` if stores of a transaction or read were removed, because the id may belong to one of them.
    private func checkStores(of id: ObjectID) throws(StorageError) {
        guard state.isEditable || state.keepsSnapshot, state.identities.stores.wereRemoved else { return }
        throw StorageError(.closed, "The store of \(id) was removed from the data stack.")
    }

    /// Returns the ids, with the ids of surviving objects in place of the ids of merged objects.
    private func survivors(of ids: [ObjectID]) -> [ObjectID] {
        guard state.stores.contains(where: { $0.hasMerges }) else { return ids }
        return ids.map { id in
            state.identities.object(id) == nil ? state.identities.survivor(of: id) : id
        }
    }

    /// Returns the object of a row that an observer has kept, and that may have changed since.
    ///
    /// A deleted object is created from the row, with its last values.
    func object(ofOld row: Row, storage: UInt32) -> CoreStoreObject {
        let id = ObjectID(storage: storage, key: row.key)
        let found = state.failures.loggingErrors("fetch") { () throws(StorageError) in try object(id) }
        if let found { return found }
        let gone = state.factory.makeObject(row, id)
        gone.state.insert(.isDeleted)
        return gone
    }

    /// Looks up objects again that parent transactions may have restored.
    func restoreReturned(_ objects: some Sequence<CoreStoreObject>) throws(StorageError) {
        let ids = objects.lazy.filter(state.merger.mayReturn).map(\.id)
        if state.readsPendingRows { _ = try self.objects(Array(ids)) }
    }
}
