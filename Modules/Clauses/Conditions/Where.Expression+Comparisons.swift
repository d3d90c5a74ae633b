public import CofferSchema
import CofferStorage
import CofferStorageTools

/// Compares expressions with values: `(\.$master ~ \.$name) == "Ann"`.
//
// Comparisons of expressions: `(\.$master ~ \.$name) == "Ann"`.

/// Matches objects for which the expression equals a value.
public func == <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V>, _ rhs: V) -> Where<O> {
    lhs.comparing(.equal, rhs)
}

/// Matches objects for which the expression does not equal a value.
///
/// If the expression has many values, the quantifier decides: `(\.$pets ~ \.$age).all() != 3` matches if no age is 3,
/// and `any() != 3` matches if at least one age is not 3.
public func != <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V>, _ rhs: V) -> Where<O> {
    lhs.comparing(.notEqual, rhs)
}

/// Matches objects for which the expression equals a value; nil matches objects for which the expression is null.
///
/// The expression is null if a relationship in its path is nil.
@_disfavoredOverload
public func == <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V>, _ rhs: V?) -> Where<O> {
    lhs.comparing(.equal, rhs)
}

/// Matches objects for which the expression does not equal a value; nil matches objects for which it is not null.
@_disfavoredOverload
public func != <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V>, _ rhs: V?) -> Where<O> {
    lhs.comparing(.notEqual, rhs)
}

/// Matches objects for which the expression is one of some values: `["Ann", "Ben"] ~= (\.$master ~ \.$name)`.
public func ~= <O, T, V: QueryableAttributeType, S: Sequence>(
    _ sequence: S, _ expression: Where<O>.Expression<T, V>
) -> Where<O> where S.Iterator.Element == V {
    expression.isMember(of: sequence, \._queryValue)
}

/// Matches objects for which the expression is less than a value.
public func < <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V>, _ rhs: V
) -> Where<O> {
    lhs.comparing(.less, rhs)
}

/// Matches objects for which the expression is less than a value or equals it.
public func <= <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V>, _ rhs: V
) -> Where<O> {
    lhs.comparing(.lessOrEqual, rhs)
}

/// Matches objects for which the expression is greater than a value.
public func > <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V>, _ rhs: V
) -> Where<O> {
    lhs.comparing(.greater, rhs)
}

/// Matches objects for which the expression is greater than a value or equals it.
public func >= <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V>, _ rhs: V
) -> Where<O> {
    lhs.comparing(.greaterOrEqual, rhs)
}

/// Matches objects for which the expression equals a value.
public func == <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V?>, _ rhs: V) -> Where<O> {
    lhs.comparing(.equal, rhs)
}

/// Matches objects for which the expression equals a value; nil matches objects for which the expression is null.
public func == <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V?>, _ rhs: V?) -> Where<O> {
    lhs.comparing(.equal, rhs)
}

/// Matches objects for which the expression does not equal a value, or is null.
public func != <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V?>, _ rhs: V) -> Where<O> {
    lhs.comparing(.notEqual, rhs)
}

/// Matches objects for which the expression does not equal a value; nil matches objects for which it is not null.
///
/// If the value is not nil, objects for which the expression is null match as well.
public func != <O, T, V: QueryableAttributeType>(_ lhs: Where<O>.Expression<T, V?>, _ rhs: V?) -> Where<O> {
    lhs.comparing(.notEqual, rhs)
}

/// Matches objects for which the expression is one of some values.
public func ~= <O, T, V: QueryableAttributeType, S: Sequence>(
    _ sequence: S, _ expression: Where<O>.Expression<T, V?>
) -> Where<O> where S.Iterator.Element == V {
    expression.isMember(of: sequence, \._queryValue)
}

/// Matches objects for which the expression is less than a value; nil matches no object.
public func < <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V?>, _ rhs: V?
) -> Where<O> {
    lhs.comparing(.less, rhs)
}

/// Matches objects for which the expression is less than a value or equals it; nil matches no object.
public func <= <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V?>, _ rhs: V?
) -> Where<O> {
    lhs.comparing(.lessOrEqual, rhs)
}

/// Matches objects for which the expression is greater than a value; nil matches no object.
public func > <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V?>, _ rhs: V?
) -> Where<O> {
    lhs.comparing(.greater, rhs)
}

/// Matches objects for which the expression is greater than a value or equals it; nil matches no object.
public func >= <O, T, V: QueryableAttributeType & Comparable>(
    _ lhs: Where<O>.Expression<T, V?>, _ rhs: V?
) -> Where<O> {
    lhs.comparing(.greaterOrEqual, rhs)
}

extension Where.Expression {
    fileprivate func comparing(
        _ relation: QueryComparison.Relation, _ value: (some QueryableAttributeType)?
    ) -> Where<O> {
        comparing(relation, .value(value?._queryValue ?? .null))
    }
}
