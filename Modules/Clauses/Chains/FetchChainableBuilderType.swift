public import CofferSchema

/// The protocol of fetch chains: the class of the objects, and the clauses.
///
/// ``FetchChainBuilder`` is the only conforming type.
public protocol FetchChainableBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The class of the objects, and the stores to search.
    var from: From<ObjectType> { get set }
    /// The clauses, in the order they are applied.
    var fetchClauses: [any FetchClause] { get set }
}
