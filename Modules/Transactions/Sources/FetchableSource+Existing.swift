public import CofferSchema
public import CofferStorage

extension FetchableSource {
    /// The same object in this source, whatever context it comes from; nil, and an error in the log, when it is gone.
    public func fetchExisting<O: DynamicObject>(_ object: O) -> O? {
        _graph.calls.lookingUp(O.self) { sought(object.cs_id()) } ?? nil
    }

    private func sought<O: DynamicObject>(_ id: ObjectID) -> O? {
        let graph = _graph
        do throws(StorageError) {
            if let found = try graph.object(id) as? O { return found }
            let missing = StorageError(.conflict, "There is no \(id). Fetch what is there instead.")
            Diagnostics.log(
                graph.state.identities.space(id.storage) == nil
                    ? .persistentStoreNotFound(entity: O.self) : CoreStoreError(storage: missing),
                "\(id) was not found: it was deleted, or never saved."
            )
        } catch {
            graph.state.failures.keep(error, "The fetch failed.")
        }
        return nil
    }

    /// The object with an id; nil when there is none, or it is not of the class.
    public func fetchExisting<O: DynamicObject>(_ objectID: ObjectID) -> O? {
        existing(objectID)
    }

    /// The same objects in this source, in their order; those that are gone are left out.
    public func fetchExisting<O: DynamicObject, S: Sequence>(_ objects: S) -> [O] where S.Iterator.Element == O {
        existing(objects.map { $0.cs_id() })
    }

    /// The objects with some ids, in their order; those that are gone, or not of the class, are left out.
    public func fetchExisting<O: DynamicObject, S: Sequence>(_ objectIDs: S) -> [O]
    where S.Iterator.Element == ObjectID {
        existing(Array(objectIDs))
    }

    private func existing<O: DynamicObject>(_ id: ObjectID) -> O? {
        let graph = _graph
        return graph.calls.lookingUp(O.self) {
            graph.loggingErrors("fetch") { () throws(StorageError) in try graph.object(id) } as? O
        } ?? nil
    }

    private func existing<O: DynamicObject>(_ ids: [ObjectID]) -> [O] {
        let graph = _graph
        return graph.calls.lookingUp(O.self) {
            let found = graph.loggingErrors("fetch") { () throws(StorageError) in try graph.objects(ids) }
            return (found ?? []).compactMap { $0 as? O }
        } ?? []
    }
}
