public import CofferSchema

/// A query of objects of a known class.
///
/// ``QueryChainBuilder`` is the only kind there is.
public protocol QueryChainableBuilderType {
    /// The class of the objects.
    associatedtype ObjectType: DynamicObject
    /// The type of the results.
    associatedtype ResultType: SelectResultType
    /// Where to look.
    var from: From<ObjectType> { get set }
    /// What to return.
    var select: Select<ObjectType, ResultType> { get set }
    /// The clauses, in the order they are applied.
    var queryClauses: [any QueryClause] { get set }
}
