public import CofferStorage

/// Something that names a property, or a path of properties, of the model.
public protocol AnyKeyPathStringConvertible {
    /// The names as the store knows them, joined by dots.
    var cs_keyPathString: KeyPathString { get }
}

/// A path whose start and end types are known.
public protocol KeyPathStringConvertible: AnyKeyPathStringConvertible {
    /// The class the path starts at.
    associatedtype ObjectType: DynamicObject
    /// What the path leads to: a value's type, or the class of related objects.
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
    /// The name a field has in the store: `String(keyPath: \Dog.$species)` is `"species"`.
    public init<O: CoreStoreObject, K: KeyPathStringConvertible>(keyPath: KeyPath<O, K>) {
        self = MetaObjects.meta(of: O.self)[keyPath: keyPath].cs_keyPathString
    }
}
