public import CofferSchema
public import CofferStorage

/// What is pending.
extension BaseDataTransaction {
    /// Whether an object has attributes or relationships that differ from what is saved.
    ///
    /// Of a to-many relationship the members count, and their order where that is kept, whichever side was changed. Then
    /// the answer takes time proportional to what is pending.
    public func objectHasPersistentChangedValues<O: DynamicObject>(_ object: O) -> Bool {
        guard let object = (object as? CoreStoreObject)?.canonical, object.context === _graph.context else {
            return false
        }
        if object.state.contains(.isInserted) { return !object.isDeleted }
        if let base = object.base {
            let kinds = _graph.layout.entities[object.row.entity].kinds
            if object.changed.slots.contains(where: { !object.row.hasSameValue($0, kinds[$0], as: base) }) {
                return true
            }
        }
        return ChangedMembers(state).hasChangedMembers(object)
    }

    /// The new objects of a class and its subclasses.
    public func insertedObjects<O: CoreStoreObject>(_ entity: O.Type) -> Set<O> {
        Set(inserted.compactMap { $0 as? O })
    }

    /// The ids of the new objects.
    public func insertedObjectIDs() -> Set<ObjectID> { Set(inserted.map(\.id)) }

    /// The ids of the new objects of a class and its subclasses.
    public func insertedObjectIDs<O: CoreStoreObject>(_ entity: O.Type) -> Set<ObjectID> {
        Set(inserted.filter { $0 is O }.map(\.id))
    }

    /// The changed objects of a class and its subclasses, new ones not among them.
    ///
    /// An object whose to-many relationship was changed from the other side is one of them. If relationships were
    /// changed, the call takes time proportional to the number of pending changes. Objects that the transaction does not know are fetched;
    /// if that fails, the commit throws the error and saves nothing.
    public func updatedObjects<O: CoreStoreObject>(_ entity: O.Type) -> Set<O> {
        Set(updated.compactMap { $0 as? O })
    }

    /// The ids of the changed objects, without a fetch.
    public func updatedObjectIDs() -> Set<ObjectID> {
        Set(checked.updated.filter { !$0.isDeleted }.map(\.id)).union(ChangedMembers(state).idsWithChangedMembersOnly())
    }

    /// The ids of the changed objects of a class and its subclasses, fetched as ``updatedObjects(_:)`` does.
    public func updatedObjectIDs<O: CoreStoreObject>(_ entity: O.Type) -> Set<ObjectID> {
        Set(updated.filter { $0 is O }.map(\.id))
    }

    /// The deleted objects of a class and its subclasses.
    public func deletedObjects<O: CoreStoreObject>(_ entity: O.Type) -> Set<O> {
        Set(deleted.compactMap { $0 as? O })
    }

    /// The ids of the deleted objects.
    public func deletedObjectIDs() -> Set<ObjectID> { Set(deleted.map(\.id)) }

    /// The ids of the deleted objects of a class and its subclasses.
    public func deletedObjectIDs<O: CoreStoreObject>(_ entity: O.Type) -> Set<ObjectID> {
        Set(deleted.filter { $0 is O }.map(\.id))
    }

    private var inserted: [CoreStoreObject] { checked.inserted.filter { !$0.isDeleted } }
    private var updated: [CoreStoreObject] {
        checked.updated.filter { !$0.isDeleted } + ChangedMembers(state).objectsWithChangedMembersOnly()
    }
    private var deleted: [CoreStoreObject] { checked.deleted }

    private var checked: PendingChanges {
        _ = checkUsable("changed objects")
        return state.pending
    }
}
