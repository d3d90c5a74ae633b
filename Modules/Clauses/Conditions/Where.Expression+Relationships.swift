public import CofferSchema
import CofferStorage
import CofferStorageTools

// Comparisons of what a path leads to with objects: `(\.$master ~ \.$spouse) == person`. Objects are compared by their
// ids, so the object may be of any context.

/// Matches objects whose path leads to an object; with nil, to none.
public func == <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ object: D?) -> Where<O> {
    lhs.comparing(.equal, .value(.related(object)))
}

/// Matches objects whose path does not lead to an object; with nil, those where it leads to any.
public func != <O, T, D: CoreStoreObject>(_ lhs: Where<O>.Expression<T, D>, _ object: D?) -> Where<O> {
    lhs.comparing(.notEqual, .value(.related(object)))
}

/// Matches objects whose path leads to one of some objects: `[ann, ben] ~= (\.$master ~ \.$spouse)`.
public func ~= <O, T, D: CoreStoreObject, S: Sequence>(_ sequence: S, _ path: Where<O>.Expression<T, D>) -> Where<O>
where S.Element == D {
    path.comparing(.isIn, .values(sequence.map { .object($0.cs_id()) }))
}
