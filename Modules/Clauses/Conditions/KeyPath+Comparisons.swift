public import CofferSchema
import CofferStorage
import CofferStorageTools

// Comparisons of properties, which may be those of a superclass, with values: `\.$age >= 18`. One operator serves every
// kind of property: the compiler's work grows with the number of operators in an expression to the power of overloads.

/// Matches objects whose property equals a value; with nil, those whose property has none.
public func == <O: CoreStoreObject, K: ComparableProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.ComparedValue?
) -> Where<O> {
    comparing(keyPath, .equal, value)
}

/// Matches objects whose property does not equal a value; for a value, that includes objects where it has none.
public func != <O: CoreStoreObject, K: ComparableProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.ComparedValue?
) -> Where<O> {
    comparing(keyPath, .notEqual, value)
}

/// Matches objects whose property is less than a value; with nil, none.
public func < <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .less, K._ordered(value)))
}

/// Matches objects whose property is greater than a value; with nil, none.
public func > <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .greater, K._ordered(value)))
}

/// Matches objects whose property is less than a value or equals it; with nil, none.
public func <= <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .lessOrEqual, K._ordered(value)))
}

/// Matches objects whose property is greater than a value or equals it; with nil, none.
public func >= <O: CoreStoreObject, K: OrderedProperty>(
    _ keyPath: KeyPath<O, K>, _ value: K.OrderedValue
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .greaterOrEqual, K._ordered(value)))
}

/// Matches objects whose field is one of some values: `[1, 2, 3] ~= \.$age`.
public func ~= <O: CoreStoreObject, B, V, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>
) -> Where<O>
where S.Iterator.Element == V {
    keyPath.isMember(of: sequence, \._storedValue)
}

/// Matches objects whose coded field has no value: `\.$colour == nil`.
public func == <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, _ null: Void?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .equal, .null))
}

/// Matches objects whose coded field has a value: `\.$colour != nil`.
public func != <O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Coded<V>>, _ null: Void?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), .notEqual, .null))
}

private func comparing<O: CoreStoreObject, K: ComparableProperty>(
    _ keyPath: KeyPath<O, K>, _ relation: QueryComparison.Relation, _ value: K.ComparedValue?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), relation, value.map(K._compared) ?? .null))
}
