public import CofferSchema
public import CofferStorage
import CofferStorageTools

/// Compares the related object at the end of a path: `(\.$master ~ \.$spouse) == person`.
//
// These operators compare the object at the end of a path: `(\.$master ~ \.$spouse) == person`. Objects are compared
// by their ids, so the object may belong to any context.

/// Matches objects whose path ends at the given object; nil matches objects whose path ends at no object.
public func == <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ object: D?) -> Where<O> {
    lhs.comparing(.equal, .value(.related(object)))
}

/// Matches objects whose path does not end at the given object; nil matches objects whose path ends at any object.
public func != <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ object: D?) -> Where<O> {
    lhs.comparing(.notEqual, .value(.related(object)))
}

/// Matches objects whose path ends at the represented object.
public func == <O, T, D: CoreStoreObject, R: ObjectRepresentation>(
    _ lhs: Where<O>.Expression<T, D>, _ object: R
) -> Where<O> where R.ObjectType == D {
    lhs.comparing(.equal, .value(.represented(object)))
}

/// Matches objects whose path does not end at the represented object.
public func != <O, T, D: CoreStoreObject, R: ObjectRepresentation>(
    _ lhs: Where<O>.Expression<T, D>, _ object: R
) -> Where<O> where R.ObjectType == D {
    lhs.comparing(.notEqual, .value(.represented(object)))
}

/// Matches objects whose path ends at the object with the given id.
public func == <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ objectID: ObjectID) -> Where<O> {
    lhs.comparing(.equal, .value(.object(objectID)))
}

/// Matches objects whose path does not end at the object with the given id.
public func != <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ objectID: ObjectID) -> Where<O> {
    lhs.comparing(.notEqual, .value(.object(objectID)))
}

/// Matches objects whose path ends at one of the given objects: `[ann, ben] ~= (\.$master ~ \.$spouse)`.
public func ~= <O, T, D: CoreStoreObject, S: Sequence>(_ sequence: S, _ path: Where<O>.Expression<T, D>) -> Where<O>
where S.Element == D {
    path.comparing(.isIn, .values(sequence.map { .object($0.cs_id()) }))
}

/// Matches objects whose path ends at an object with one of the given ids.
public func ~= <O, T, D: CoreStoreObject, S: Sequence>(_ sequence: S, _ path: Where<O>.Expression<T, D>) -> Where<O>
where S.Element == ObjectID {
    path.comparing(.isIn, .values(sequence.map { .object($0) }))
}

/// Matches objects whose path ends at one of the represented objects.
public func ~= <O, T, D: CoreStoreObject, S: Sequence>(_ sequence: S, _ path: Where<O>.Expression<T, D>) -> Where<O>
where S.Element: ObjectRepresentation, S.Element.ObjectType == D {
    path.comparing(.isIn, .values(sequence.map { .object($0.objectID()) }))
}
