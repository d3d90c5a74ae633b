public import CofferSchema

/// A query of objects of a known class.
///
/// ``QueryChainBuilder`` is the only conforming type.
public protocol QueryChainableBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The type of the results.
    associatedtype ResultType: SelectResultType
    /// The class of the objects, and the stores to search.
    var from: From<ObjectType> { get set }
    /// The terms that the query returns.
    var select: Select<ObjectType, ResultType> { get set }
    /// The clauses, in the order they are applied.
    var queryClauses: [any QueryClause] { get set }
}
