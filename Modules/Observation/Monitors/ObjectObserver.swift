public import CofferSchema
public import CofferStorage

/// An object that is notified when a monitored object changes or is deleted.
///
/// ```swift
/// final class Badge: ObjectObserver {
///     func objectMonitor(
///         _ monitor: ObjectMonitor<Person>, didUpdateObject object: Person, changedPersistentKeys: Set<KeyPathString>
///     ) {
///         print(changedPersistentKeys)    // ["name"]
///     }
/// }
/// ```
///
/// Each method has a second form with the `sourceIdentifier` of the transaction. If a class does not implement the
/// second form, the form calls the method without the source. The monitor calls the methods on the view queue. Methods
/// that a class does not implement do nothing.
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
