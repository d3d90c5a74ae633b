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
/// second form, the default implementation calls the method without the source. The monitor calls the methods on the
/// view queue. Methods that a class does not implement do nothing.
public protocol ObjectObserver<ObjectEntityType>: AnyObject {
    /// The class of the object.
    associatedtype ObjectEntityType: DynamicObject

    /// A commit will change or delete the object.
    ///
    /// The object already has its new values.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType, sourceIdentifier: Any?
    )
    /// A commit will change or delete the object.
    ///
    /// The object already has its new values.
    func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType)
    /// A commit has changed the object.
    ///
    /// The keys are the names of the changed attributes and relationships.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>, sourceIdentifier: Any?
    )
    /// A commit has changed the object.
    ///
    /// The keys are the names of the changed attributes and relationships.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didUpdateObject object: ObjectEntityType,
        changedPersistentKeys: Set<KeyPathString>
    )
    /// A commit has deleted the object.
    ///
    /// The last values of the object stay readable.
    func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType, sourceIdentifier: Any?
    )
    /// A commit has deleted the object.
    ///
    /// The last values of the object stay readable.
    func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType)
}

extension ObjectObserver {
    /// Calls the method without a source.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType, sourceIdentifier: Any?
    ) {
        objectMonitor(monitor, willUpdateObject: object)
    }

    /// Does nothing.
    public func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, willUpdateObject object: ObjectEntityType) {}

    /// Calls the method without a source.
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

    /// Calls the method without a source.
    public func objectMonitor(
        _ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType, sourceIdentifier: Any?
    ) {
        objectMonitor(monitor, didDeleteObject: object)
    }

    /// Does nothing.
    public func objectMonitor(_ monitor: ObjectMonitor<ObjectEntityType>, didDeleteObject object: ObjectEntityType) {}
}
