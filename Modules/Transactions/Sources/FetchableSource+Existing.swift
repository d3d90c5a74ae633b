public import CofferSchema
public import CofferStorage

/// Finds objects by their ids, or by objects of another source: `fetchExisting`.
extension FetchableSource {
    /// Returns the object of this source that represents the same row as an object of any source.
    ///
    /// ```swift
    /// let age = try stack.perform(synchronous: { transaction in
    ///     transaction.fetchExisting(person)?.age
    /// })
    /// ```
    ///
    /// If the source has not read the object yet, it reads the object from the store. To change an object, use `edit`,
    /// which states this purpose.
    ///
    /// - Returns: the object; nil, with an error in the log, if the object was deleted or never saved. The result is
    ///   also nil if the store cannot be read. The end of the transaction or read then throws the error.
    public func fetchExisting<O: DynamicObject>(_ object: O) -> O? {
        _graph.calls.lookingUp(O.self) { sought(object.cs_id()) } ?? nil
    }

    private func sought<O: DynamicObject>(_ id: ObjectID) -> O? {
        let graph = _graph
        do throws(StorageError) {
            if let found = try graph.object(id) as? O { return found }
            let missing = StorageError(.conflict, "There is no object \(id). Fetch an existing object.")
            Diagnostics.log(
                graph.state.identities.space(id.storage) == nil
                    ? .persistentStoreNotFound(entity: O.self) : CoreStoreError(storage: missing),
                "\(id) was not found. It was deleted or never saved."
            )
        } catch {
            graph.state.failures.keep(error, "The fetch failed.")
        }
        return nil
    }

    /// Returns the object with an id.
    ///
    /// ```swift
    /// let person: Person? = stack.fetchExisting(id)
    /// ```
    ///
    /// The type of the result names the class.
    ///
    /// - Returns: the object; nil if there is no such object, or the object is not of the class. The result is also nil
    ///   if the store cannot be read; the error is logged, and the end of the transaction or read throws it.
    public func fetchExisting<O: DynamicObject>(_ objectID: ObjectID) -> O? {
        let graph = _graph
        // The closure returns the common class, so that no metadata of an optional of the class is needed at run
        // time.
        let found = graph.calls.lookingUp(O.self) {
            graph.loggingErrors("fetch") { () throws(StorageError) in try graph.object(objectID) }
        }
        return (found ?? nil) as? O
    }

    /// Returns the objects of this source that represent the same rows as objects of any source.
    ///
    /// ```swift
    /// let people = stack.fetchExisting([ann, ben])
    /// ```
    ///
    /// - Returns: the objects in the order of the arguments, without deleted and unsaved objects. The result is empty
    ///   if a store cannot be read; the error is logged, and the end of the transaction or read throws it.
    public func fetchExisting<O: DynamicObject, S: Sequence>(_ objects: S) -> [O] where S.Iterator.Element == O {
        existing(objects.map { $0.cs_id() })
    }

    /// Returns the objects with some ids, by one request to each store.
    ///
    /// ```swift
    /// let people: [Person] = stack.fetchExisting(ids)
    /// ```
    ///
    /// - Returns: the objects in the order of the ids. If an id has no object, or an object of another class, the id is
    ///   left out. The result is empty if a store cannot be read; the error is logged, and the end of the transaction
    ///   or read throws it.
    public func fetchExisting<O: DynamicObject, S: Sequence>(_ objectIDs: S) -> [O]
    where S.Iterator.Element == ObjectID {
        existing(Array(objectIDs))
    }

    private func existing<O: DynamicObject>(_ ids: [ObjectID]) -> [O] {
        let graph = _graph
        return graph.calls.lookingUp(O.self) {
            let found = graph.loggingErrors("fetch") { () throws(StorageError) in try graph.objects(ids) }
            return (found ?? []).compactMap { $0 as? O }
        } ?? []
    }
}
