public import CofferSchema
public import CofferStorage
import CofferStorageTools

// Comparisons of to-one relationships: `\.$master == person`. Objects are compared by their ids, so the object may be
// of any context.

/// Matches objects whose relationship leads to a represented object; with nil, to none.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .represented(object)))
}

/// Matches objects whose relationship does not lead to a represented object; with nil, those where it leads to any.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .represented(object)))
}

/// Matches objects whose relationship leads to the object with an id.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ objectID: ObjectID
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .object(objectID)))
}

/// Matches objects whose relationship does not lead to the object with an id.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ objectID: ObjectID
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .object(objectID)))
}

/// Matches objects whose relationship leads to the object with one of some ids: `ids ~= \.$master`.
public func ~= <O: CoreStoreObject, B, D: FieldRelationshipToOneType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>
) -> Where<O> where S.Iterator.Element == ObjectID {
    Where(keyPath, isMemberOf: sequence)
}

/// Matches objects whose relationship leads to one of some represented objects: `publishers ~= \.$master`.
public func ~= <O: CoreStoreObject, B, D: FieldRelationshipToOneType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>
) -> Where<O>
where S.Iterator.Element: ObjectRepresentation, S.Iterator.Element.ObjectType == D.DestinationObjectType {
    Where(keyPath, isMemberOf: sequence.map { $0.objectID() })
}

extension KeyPath where Root: CoreStoreObject {
    /// Matches objects whose to-many relationship leads to an object, among others: `(\Person.$pets).contains(rex)`.
    public func contains<B, D: FieldRelationshipToManyType>(_ object: D.DestinationObjectType) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D> {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .related(object), quantifier: .any))
    }

    /// Matches objects whose to-many relationship leads to a represented object, among others.
    public func contains<B, D: FieldRelationshipToManyType, R: ObjectRepresentation>(_ object: R) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D>, D.DestinationObjectType == R.ObjectType {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .represented(object), quantifier: .any))
    }

    /// Matches objects whose to-many relationship leads to the object with an id, among others.
    public func contains<B, D: FieldRelationshipToManyType>(_ objectID: ObjectID) -> Where<Root>
    where Value == FieldContainer<B>.Relationship<D> {
        Where(.comparing(KeyPathString(keyPath: self), .equal, .object(objectID), quantifier: .any))
    }
}
