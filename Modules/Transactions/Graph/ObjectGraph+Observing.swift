package import CofferSchema
package import CofferStorage

/// What observers ask of a graph.
extension ObjectGraph {
    /// Whether the current thread may observe objects; it is a mistake when not.
    package func mayObserve<O>(_ type: O.Type) -> Bool {
        let isAllowed = isAccessAllowed()
        Diagnostics.assert(
            isAllowed, "'\(type)' was observed outside the queue of its data stack or transaction. Observe it there."
        )
        return isAllowed
    }

    /// The id of the object that took over from another when that was saved; otherwise the same id.
    package func survivor(of id: ObjectID) -> ObjectID { space(id.storage)?.store.survivor(of: id) ?? id }

    /// The known object with an id, when it was not deleted.
    package func knownObject(_ id: ObjectID) -> CoreStoreObject? {
        guard let known = table(id.storage)?.object(id.key), !known.isDeleted else { return nil }
        return known
    }

    /// The objects of rows that an observer has kept, as one batch.
    ///
    /// Known objects keep the values that they show: an observer that was not told of a commit yet has older rows.
    package func objects(of rows: [Row], storage: UInt32) -> [CoreStoreObject] {
        guard let first = rows.first, let store = space(storage)?.store else { return [] }
        return objects(rows, first.entity, store, refreshes: false)
    }

    /// The object of a row that an observer has kept, and that may have changed since.
    ///
    /// One that is gone is made of the row, with the last values it had.
    package func object(ofOld row: Row, storage: UInt32) -> CoreStoreObject {
        let id = ObjectID(storage: storage, key: row.key)
        let found = loggingErrors("fetch") { () throws(StorageError) in try object(id) }
        if let found { return found }
        let gone = binding.entities[row.entity].makeObject(RowReference(retaining: row), id, in: context)
        gone.state.insert(.isDeleted)
        return gone
    }

    /// The ids of the objects that a relationship leads to.
    package func relatedIDs(_ relationship: Int, of object: CoreStoreObject) -> [ObjectID] {
        let (object, layout) = (object.canonical, layout.relationships[relationship])
        guard let store = store(of: object) else { return [] }
        let space = store.keySpaces[layout.destination]
        if case .reference(let slot, _) = layout.storage {
            return object.row.isNull(slot) ? [] : [ObjectID(storage: space, key: object.row.integer(slot))]
        }
        let keys = loggingErrors("fetch") { () throws(StorageError) in try relatedKeys(layout, of: object) }
        return (keys ?? []).map { ObjectID(storage: space, key: $0) }
    }

    /// The values of an expression for rows of one store.
    package func values(
        of expression: RowExpression, _ rows: [Row], in store: OpenStore
    ) throws(StorageError) -> [Value] {
        try read(store, "fetch") { reader throws(StorageError) in
            let source = PendingSource(self, store, reader)
            let values = rows.map { evaluator.value(expression, of: $0, in: source) }
            if let failure = source.failure { throw failure }
            return values
        }
    }

    // MARK: Errors

    /// Turns a store's error into the public one.
    package func converting<Result>(_ body: () throws(StorageError) -> Result) throws(CoreStoreError) -> Result {
        do {
            return try body()
        } catch {
            throw CoreStoreError(storage: error)
        }
    }

    /// Runs a call that cannot throw; an error is logged, and nil returned.
    ///
    /// The end of the transaction or read throws it.
    package func loggingErrors<Result>(_ operation: String, _ body: () throws(StorageError) -> Result?) -> Result? {
        do throws(StorageError) {
            return try body()
        } catch {
            keep(error, "The \(operation) failed.")
            return nil
        }
    }
}
