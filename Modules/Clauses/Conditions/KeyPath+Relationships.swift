public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Compares the key paths of relationships with objects or ids: `\.$master == person`, `contains(rex)`.
//
// These operators compare to-one relationships: `\.$master == person`. Objects are compared by their ids, so the
// object may belong to any context.

/// Matches objects that are related to the represented object; nil matches objects without a related object.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .represented(object)))
}

/// Matches objects that are not related to the represented object; nil matches objects that have a related object.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .represented(object)))
}

/// Matches objects that are related to the object with the given id.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ objectID: ObjectID
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .object(objectID)))
}

/// Matches objects that are not related to the object with the given id.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ objectID: ObjectID
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .object(objectID)))
}

/// Matches objects that are related to an object with one of the given ids: `ids ~= \.$master`.
public func ~= <O: CoreStoreObject, B, D: FieldRelationshipToOneType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>
) -> Where<O> where S.Iterator.Element == ObjectID {
    Where(keyPath, isMemberOf: sequence)
}

/// Matches objects that are related to one of the represented objects: `publishers ~= \.$master`.
public func ~= <O: CoreStoreObject, B, D: FieldRelationshipToOneType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>
) -> Where<O>
where S.Iterator.Element: ObjectRepresentation, S.Iterator.Element.ObjectType == D.DestinationObjectType {
    Where(keyPath, isMemberOf: sequence.map { $0.objectID() })
}

extension KeyPath where Root: CoreStoreObject {
    /// Matches objects whose to-many relationship contains an object: `(\Person.$pets).contains(rex)`.
    public func contains<B, D: FieldRelationshipToManyType>(_ object: D.DestinationObjectType) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D> {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .related(object), quantifier: .any))
    }

    /// Matches objects whose to-many relationship contains the represented object.
    public func contains<B, D: FieldRelationshipToManyType, R: ObjectRepresentation>(_ object: R) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D>, D.DestinationObjectType == R.ObjectType {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .represented(object), quantifier: .any))
    }

    /// Matches objects whose to-many relationship contains the object with the given id.
    public func contains<B, D: FieldRelationshipToManyType>(_ objectID: ObjectID) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D> {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .object(objectID), quantifier: .any))
    }
}
