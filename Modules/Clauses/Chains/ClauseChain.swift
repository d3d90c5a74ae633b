public import CofferSchema

/// A chain to which a condition, an order, or another change of the request can be added.
///
/// ``From``, ``FetchChainBuilder``, ``QueryChainBuilder`` and ``SectionMonitorChainBuilder`` are the chains. Other types
/// do not conform.
public protocol ClauseChain<O> {
    /// The class of the objects.
    associatedtype O: DynamicObject
    /// The type of the chain with one more clause.
    associatedtype ExtendedChain

    /// The chain with one more clause.
    func _appending<C: QueryClause>(_ clause: C) -> ExtendedChain
}
