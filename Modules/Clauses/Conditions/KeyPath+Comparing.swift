public import CofferSchema
import CofferStorage

// Comparisons of stored fields, which may be those of a superclass: `\.$age >= 18`.

/// Matches objects whose field equals a value; with nil, those whose field has none.
public func == <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V?) -> Where<O> {
    comparing(keyPath, .equal, value)
}

/// Matches objects whose field does not equal a value; for a value, that includes objects where the field has none.
public func != <O: CoreStoreObject, B, V>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V?) -> Where<O> {
    comparing(keyPath, .notEqual, value)
}

/// Matches objects whose field is one of some values: `[1, 2, 3] ~= \.$age`.
public func ~= <O: CoreStoreObject, B, V, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>
) -> Where<O>
where S.Iterator.Element == V {
    keyPath.isMember(of: sequence, \._storedValue)
}

/// Matches objects whose field is less than a value.
public func < <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> {
    comparing(keyPath, .less, value)
}

/// Matches objects whose field is less than a value; with nil, none.
public func < <O: CoreStoreObject, B, V: FieldOptionalType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> where V.Wrapped: Comparable {
    comparing(keyPath, .less, value)
}

/// Matches objects whose field is greater than a value.
public func > <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> {
    comparing(keyPath, .greater, value)
}

/// Matches objects whose field is greater than a value; with nil, none.
public func > <O: CoreStoreObject, B, V: FieldOptionalType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> where V.Wrapped: Comparable {
    comparing(keyPath, .greater, value)
}

/// Matches objects whose field is less than a value or equals it.
public func <= <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> {
    comparing(keyPath, .lessOrEqual, value)
}

/// Matches objects whose field is less than a value or equals it; with nil, none.
public func <= <O: CoreStoreObject, B, V: FieldOptionalType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> where V.Wrapped: Comparable {
    comparing(keyPath, .lessOrEqual, value)
}

/// Matches objects whose field is greater than a value or equals it.
public func >= <O: CoreStoreObject, B, V: Comparable>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> {
    comparing(keyPath, .greaterOrEqual, value)
}

/// Matches objects whose field is greater than a value or equals it; with nil, none.
public func >= <O: CoreStoreObject, B, V: FieldOptionalType>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ value: V
) -> Where<O> where V.Wrapped: Comparable {
    comparing(keyPath, .greaterOrEqual, value)
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

private func comparing<O: CoreStoreObject, B, V>(
    _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>, _ relation: QueryComparison.Relation, _ value: V?
) -> Where<O> {
    Where(.comparing(KeyPathString(keyPath: keyPath), relation, value?._storedValue ?? .null))
}
