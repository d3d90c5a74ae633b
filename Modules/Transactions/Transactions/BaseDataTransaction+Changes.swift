public import CofferSchema
public import CofferStorage

/// Lists pending changes: `insertedObjects`, `updatedObjects`, `deletedObjects`, their ids, and changed values.
extension BaseDataTransaction {
    /// Returns whether an object has attributes or relationships that differ from the saved ones.
    ///
    /// ```swift
    /// if draft.objectHasPersistentChangedValues(person) { saveButton.isEnabled = true }
    /// ```
    ///
    /// For a to-many relationship, the call compares the members, and also their order if the relationship is ordered.
    /// A change of the inverse also counts. In this case, the time for the call is proportional to the number of
    /// pending changes.
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
        return ChangedMembers(state: state).hasChangedMembers(object)
    }

    /// Returns the objects of a class and its subclasses that the transaction has created and not yet saved.
    ///
    /// ```swift
    /// let newPeople = transaction.insertedObjects(Person.self)
    /// ```
    public func insertedObjects<O: CoreStoreObject>(_ entity: O.Type) -> Set<O> {
        Set(inserted.compactMap { $0 as? O })
    }

    /// The ids of the new objects.
    public func insertedObjectIDs() -> Set<ObjectID> { Set(inserted.map(\.id)) }

    /// The ids of the new objects of a class and its subclasses.
    public func insertedObjectIDs<O: CoreStoreObject>(_ entity: O.Type) -> Set<ObjectID> {
        Set(inserted.filter { $0 is O }.map(\.id))
    }

    /// Returns the stored objects of a class and its subclasses that the transaction has changed.
    ///
    /// ```swift
    /// let changedPeople = transaction.updatedObjects(Person.self)
    /// ```
    ///
    /// The result contains objects whose to-many relationship was changed through the inverse. If relationships were
    /// changed, the time for the call is proportional to the number of pending changes, and the call fetches objects
    /// that the transaction has not read. If that fetch fails, the commit throws the error and saves nothing.
    public func updatedObjects<O: CoreStoreObject>(_ entity: O.Type) -> Set<O> {
        Set(updated.compactMap { $0 as? O })
    }

    /// The ids of the changed objects, without a fetch.
    public func updatedObjectIDs() -> Set<ObjectID> {
        Set(checked.updated.filter { !$0.isDeleted }.map(\.id)).union(
            ChangedMembers(state: state).idsWithChangedMembersOnly())
    }

    /// The ids of the changed objects of a class and its subclasses; the call fetches as ``updatedObjects(_:)`` does.
    public func updatedObjectIDs<O: CoreStoreObject>(_ entity: O.Type) -> Set<ObjectID> {
        Set(updated.filter { $0 is O }.map(\.id))
    }

    /// Returns the stored objects of a class and its subclasses that the transaction has deleted.
    ///
    /// ```swift
    /// let names = transaction.deletedObjects(Person.self).map(\.name)
    /// ```
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
        checked.updated.filter { !$0.isDeleted } + ChangedMembers(state: state).objectsWithChangedMembersOnly()
    }
    private var deleted: [CoreStoreObject] { checked.deleted }

    private var checked: PendingChanges {
        _ = checkUsable("changed objects")
        return state.pending
    }
}
