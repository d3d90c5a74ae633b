public import CofferSchema
import CofferStorage

/// Tests whether a value is in a range or in a list: `between(_:)`, `18...65 ~= \.$age`, `ages ~= \.$age`.
extension WhereOperand where OperandValue: FieldStorableType {
    /// The value is in a range, including both bounds.
    ///
    /// ```swift
    /// let people = try stack.fetchAll(From<Person>().where { $0.$age.between(18...65) })
    /// ```
    ///
    /// A null value is in no range.
    public func between(_ range: ClosedRange<OperandValue._Compared>) -> Where<ObjectType>
    where OperandValue._Compared: Comparable {
        range._contains(self)
    }
}

/// The field of an object is in a range.
///
/// ```swift
/// let people = try stack.fetchAll(From<Person>().where(18...65 ~= \.$age))
/// ```
///
/// All ranges of the standard library are accepted, such as `18...` and `0..<18`. A null value is in no range.
public func ~= <O: CoreStoreObject, B, V, R: QueryableRange>(
    _ range: R, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>
) -> Where<O> where R.Bound == V._Compared {
    range._contains(keyPath)
}

/// Matches objects whose field is in a range: `18...65 ~= $0.$age`.
public func ~= <O: CoreStoreObject, V, R: QueryableRange>(
    _ range: R, _ field: FieldContainer<O>.Stored<V>
) -> Where<O> where R.Bound == V._Compared {
    range._contains(field)
}

/// Matches objects for which the expression is in a range: `18...65 ~= (\.$master ~ \.$age)`.
public func ~= <O, T, V: FieldStorableType, R: QueryableRange>(
    _ range: R, _ expression: Where<O>.Expression<T, V>
) -> Where<O> where R.Bound == V._Compared {
    range._contains(expression)
}

/// Matches objects whose optional field is one of some values: `ages ~= \.$age`.
public func ~= <O: CoreStoreObject, B, V: FieldStorableType, S: Sequence>(
    _ sequence: S, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V?>>
) -> Where<O> where S.Element == V {
    keyPath.isMember(of: sequence, \._storedValue)
}

/// Matches objects whose optional field is one of some values: `ages ~= $0.$age`.
public func ~= <O: CoreStoreObject, V: FieldStorableType, S: Sequence>(
    _ sequence: S, _ field: FieldContainer<O>.Stored<V?>
) -> Where<O> where S.Element == V {
    field.isMember(of: sequence, \._storedValue)
}

// Ranges of integers are also sequences, and some of these sequences are infinite. These overloads treat them as
// ranges.

/// Matches objects whose field is in a range.
public func ~= <O: CoreStoreObject, B, V, R: QueryableRange & Sequence>(
    _ range: R, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V>>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(keyPath)
}

/// Matches objects whose optional field is in a range.
public func ~= <O: CoreStoreObject, B, V: FieldStorableType, R: QueryableRange & Sequence>(
    _ range: R, _ keyPath: KeyPath<O, FieldContainer<B>.Stored<V?>>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(keyPath)
}

/// Matches objects whose field is in a range.
public func ~= <O: CoreStoreObject, V, R: QueryableRange & Sequence>(
    _ range: R, _ field: FieldContainer<O>.Stored<V>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(field)
}

/// Matches objects whose optional field is in a range.
public func ~= <O: CoreStoreObject, V: FieldStorableType, R: QueryableRange & Sequence>(
    _ range: R, _ field: FieldContainer<O>.Stored<V?>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(field)
}

/// Matches objects for which the expression is in a range.
public func ~= <O, T, V: QueryableAttributeType & FieldStorableType, R: QueryableRange & Sequence>(
    _ range: R, _ expression: Where<O>.Expression<T, V>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(expression)
}

/// Matches objects for which the expression is in a range.
public func ~= <O, T, V: QueryableAttributeType & FieldStorableType, R: QueryableRange & Sequence>(
    _ range: R, _ expression: Where<O>.Expression<T, V?>
) -> Where<O> where R.Element == V, R.Bound == V._Compared {
    range._contains(expression)
}
