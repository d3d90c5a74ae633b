public import CofferStorage

/// A value that names a property, or a path of properties, of the model.
public protocol AnyKeyPathStringConvertible {
    /// The names in the store, joined by dots.
    var cs_keyPathString: KeyPathString { get }
}

/// A path with known types at its start and its end.
public protocol KeyPathStringConvertible: AnyKeyPathStringConvertible {
    /// The class at the start of the path.
    associatedtype ObjectType: DynamicObject
    /// The type at the end of the path: the type of a value, or the class of related objects.
    associatedtype DestinationValueType
}

/// A path to a value.
public protocol AttributeKeyPathStringConvertible: KeyPathStringConvertible {
    /// The type of the property.
    associatedtype ReturnValueType
}

/// A path to related objects.
public protocol RelationshipKeyPathStringConvertible: KeyPathStringConvertible {
    /// The type of the property.
    associatedtype ReturnValueType
}

/// A path to any number of related objects.
public protocol ToManyRelationshipKeyPathStringConvertible: RelationshipKeyPathStringConvertible
where ReturnValueType: Sequence {}

extension KeyPathString {
    /// Creates the name of a field in the store: `String(keyPath: \Dog.$species)` is `"species"`.
    public init<O: CoreStoreObject, K: KeyPathStringConvertible>(keyPath: KeyPath<O, K>) {
        self = MetaObjects.meta(of: O.self)[keyPath: keyPath].cs_keyPathString
    }
}
