public import CofferSchema
import CofferStorage

// Comparisons of to-one relationships: `\.$master == person`. Objects are compared by their ids, so the object may be
// of any context.

/// Matches objects whose relationship leads to an object; with nil, to none.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: D.DestinationObjectType?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .related(object)))
}

/// Matches objects whose relationship leads to a represented object; with nil, to none.
public func == <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .represented(object)))
}

/// Matches objects whose relationship does not lead to an object; with nil, those where it leads to any.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: D.DestinationObjectType?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .related(object)))
}

/// Matches objects whose relationship does not lead to a represented object; with nil, those where it leads to any.
public func != <O: CoreStoreObject, B, D: FieldRelationshipToOneType, R: ObjectRepresentation>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>, _ object: R?
) -> Where<O> where D.DestinationObjectType == R.ObjectType {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .represented(object)))
}

/// Matches objects whose relationship leads to one of some objects: `[ann, ben] ~= \.$master`.
public func ~= <O: CoreStoreObject, B, D: FieldRelationshipToOneType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Relationship<D>>
) -> Where<O> where S.Iterator.Element == D.DestinationObjectType {
    Where(keyPath, isMemberOf: sequence)
}
