public import CofferSchema

/// A fetch of objects of a known class.
///
/// ``FetchChainBuilder`` is the only kind there is.
public protocol FetchChainableBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// Where to look.
    var from: From<ObjectType> { get set }
    /// The clauses, in the order they are applied.
    var fetchClauses: [any FetchClause] { get set }
}
