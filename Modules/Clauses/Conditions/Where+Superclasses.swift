import CofferStorage
import CofferStorageTools

/// Combines a condition on a class with a condition on its superclass.
//
// A condition on a class and a condition on its superclass are combined into a condition on either class:
//
//     From<Dog>().where(\Animal.$species == "Dog" && \.$age == 10)
//
// Disfavoured, so that the operators of `Where` combine conditions on one class without a search. As members of
// `WhereClauseType`, or as favoured overloads, these operators make the compiler give up on conditions of five parts.

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
