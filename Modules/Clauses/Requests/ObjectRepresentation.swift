public import CofferSchema
public import CofferStorage

/// A value that represents one object of a store, of any class.
public protocol AnyObjectRepresentation {
    /// The id of the object.
    func objectID() -> ObjectID
}

/// A value that represents one object of a known class: the object itself, a publisher, a snapshot or a monitor.
///
/// ```swift
/// let dogs = try stack.fetchAll(From<Dog>().where(\.$master == publisher))
/// let editable = publisher.asEditable(in: transaction)
/// ```
///
/// A condition can compare a relationship with each of them. If the object was deleted, `asEditable`, `asReadOnly` and
/// `asSnapshot` return nil.
public protocol ObjectRepresentation: AnyObjectRepresentation {
    /// The class of the object.
    associatedtype ObjectType: DynamicObject
}

extension CoreStoreObject: ObjectRepresentation {}

extension DynamicObject where Self: ObjectRepresentation {
    /// The type that the object represents, which is its own class.
    ///
    /// In code that knows only the protocol, the type is the base class, because subclasses inherit the conformance
    /// unchanged.
    public typealias ObjectType = Self
}
