public import CofferSchema
public import CofferStorage

/// Someone who wants to know when a monitored object changes or is deleted.
///
/// Each callback comes in two forms, with and without the source that the transaction's caller named; the former calls
/// the latter unless it is implemented.
public protocol ObjectObserver: AnyObject {
    /// The class of the object.
    associatedtype ObjectEntityType: DynamicObject

    /// A commit is about to change or delete the object, whose values are the new ones already.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType, sourceIdentifier: Any?
    )
    /// A commit is about to change or delete the object, whose values are the new ones already.
    func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType)
    /// A commit has changed the object, in the attributes and relationships of these names.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
    )
    /// A commit has changed the object, in the attributes and relationships of these names.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>
    )
    /// A commit has deleted the object, whose last values stay readable.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType, sourceIdentifier: Any?
    )
    /// A commit has deleted the object, whose last values stay readable.
    func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType)
}

extension ObjectObserver {
    /// Calls the form without a source.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType, sourceIdentifier: Any?
    ) {
        objectMonitor(monitor, willUpdateObject: object)
    }

    /// Does nothing.
    public func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType) {}

    /// Calls the form without a source.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
    ) {
        objectMonitor(monitor, didUpdateObject: object, changedPersistentKeys: changedPersistentKeys)
    }

    /// Does nothing.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>
    ) {}

    /// Calls the form without a source.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType, sourceIdentifier: Any?
    ) {
        objectMonitor(monitor, didDeleteObject: object)
    }

    /// Does nothing.
    public func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType) {}
}
