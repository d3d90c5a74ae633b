public import CofferSchema
import CofferStorage
import CofferStorageTools

// Membership of properties that were declared before `Field` was there: `[1, 2] ~= \.age`.

/// Matches objects whose property is one of some values.
public func ~= <O: CoreStoreObject, B, V, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>
) -> Where<O> where S.Iterator.Element == V {
    Where(keyPath, isMemberOf: sequence)
}

/// Matches objects whose property is one of some values.
public func ~= <O: CoreStoreObject, B, V, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>
) -> Where<O> where S.Iterator.Element == V {
    Where(keyPath, isMemberOf: sequence)
}

/// Matches objects whose relationship leads to one of some objects.
public func ~= <O: CoreStoreObject, B, D, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>
) -> Where<O> where S.Iterator.Element == D {
    Where(keyPath, isMemberOf: sequence)
}

func comparing<O, V: QueryableAttributeType>(
    _ keyPath: KeyPathString, _ relation: QueryComparison.Relation, _ value: V?
) -> Where<O> {
    Where(.comparing(keyPath, relation, value?._queryValue ?? .null))
}
