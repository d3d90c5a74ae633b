import CofferStorage
import CofferStorageTools

/// Combines a condition on a class with a condition on its superclass.
//
// Conditions on a class and on its superclass combine to one on either:
//
//     From<Dog>().where(\Animal.$species == "Dog" && \.$age == 10)
//
// Disfavoured, so that conditions on one class are combined by `Where`'s own operators without a search: as members of
// `WhereClauseType`, or favoured, these make the compiler give up on conditions of five parts.

/// Both conditions must be fulfilled; the result is a condition on the left class.
@_disfavoredOverload
public func && <L, R>(left: Where<L>, right: Where<R>) -> Where<L> { Where(QueryPredicate.and, left, right) }

/// Both conditions must be fulfilled; the result is a condition on the right class.
@_disfavoredOverload
public func && <L, R>(left: Where<L>, right: Where<R>) -> Where<R> { Where(QueryPredicate.and, left, right) }

/// At least one of two conditions must be fulfilled; the result is a condition on the left class.
@_disfavoredOverload
public func || <L, R>(left: Where<L>, right: Where<R>) -> Where<L> { Where(QueryPredicate.or, left, right) }

/// At least one of two conditions must be fulfilled; the result is a condition on the right class.
@_disfavoredOverload
public func || <L, R>(left: Where<L>, right: Where<R>) -> Where<R> { Where(QueryPredicate.or, left, right) }
