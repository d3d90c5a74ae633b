public import CofferStorage

/// An object that a data stack can store.
///
/// ``CoreStoreObject`` is the only class that conforms to this protocol.
public protocol DynamicObject: AnyObject, SendableMetatype {
    /// The id of an object, which is the same in every context and after a restart.
    typealias ObjectID = CofferStorage.ObjectID

    /// The object's id.
    func cs_id() -> ObjectID
}

/// The name of an object's id in Core Data.
@available(*, deprecated, renamed: "ObjectID")
public typealias NSManagedObjectID = ObjectID
