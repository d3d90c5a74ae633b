public import CofferSchema

/// The protocol of query chains: the class of the objects, the selected terms and the clauses.
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
