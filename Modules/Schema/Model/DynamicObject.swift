public import CofferStorage

/// An object that a data stack can keep.
///
/// ``CoreStoreObject`` is the only kind there is.
public protocol DynamicObject: AnyObject, SendableMetatype {
    /// The identity of an object across contexts and launches.
    typealias ObjectID = CofferStorage.ObjectID

    /// The object's id.
    func cs_id() -> ObjectID
}

/// The name under which Core Data knew an object's id.
@available(*, deprecated, renamed: "ObjectID")
public typealias NSManagedObjectID = ObjectID
