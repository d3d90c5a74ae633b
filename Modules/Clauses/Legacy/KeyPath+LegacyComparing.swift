public import CofferSchema
import CofferStorage

// Comparisons of properties that were declared before `Field` was there: `\.age >= 18`.

/// Matches objects whose property equals a value.
public func == <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .equal, value)
}

/// Matches objects whose property equals a value.
public func == <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .equal, value)
}

/// Matches objects whose property does not equal a value.
public func != <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .notEqual, value)
}

/// Matches objects whose property does not equal a value.
public func != <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .notEqual, value)
}

/// Matches objects whose property is less than a value.
public func < <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V
) -> Where<O> {
    comparing(KeyPathString(keyPath: keyPath), .less, value)
}

/// Matches objects whose property is less than a value; with nil, none.
public func < <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .less, value)
}

/// Matches objects whose property is greater than a value.
public func > <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V
) -> Where<O> {
    comparing(KeyPathString(keyPath: keyPath), .greater, value)
}

/// Matches objects whose property is greater than a value; with nil, none.
public func > <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .greater, value)
}

/// Matches objects whose property is less than a value or equals it.
public func <= <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V
) -> Where<O> {
    comparing(KeyPathString(keyPath: keyPath), .lessOrEqual, value)
}

/// Matches objects whose property is less than a value or equals it; with nil, none.
public func <= <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .lessOrEqual, value)
}

/// Matches objects whose property is greater than a value or equals it.
public func >= <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, ValueContainer<B>.Required<V>>, _ value: V
) -> Where<O> {
    comparing(KeyPathString(keyPath: keyPath), .greaterOrEqual, value)
}

/// Matches objects whose property is greater than a value or equals it; with nil, none.
public func >= <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, ValueContainer<B>.Optional<V>>, _ value: V?) -> Where<O>
{
    comparing(KeyPathString(keyPath: keyPath), .greaterOrEqual, value)
}

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

/// Matches objects whose relationship leads to an object; with nil, to none.
public func == <O: CoreStoreObject, B, D>(
    _ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ object: D?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .related(object)))
}

/// Matches objects whose relationship does not lead to an object; with nil, those where it leads to any.
public func != <O: CoreStoreObject, B, D>(
    _ keyPath: KeyPath<O, RelationshipContainer<B>.ToOne<D>>, _ object: D?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .related(object)))
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
