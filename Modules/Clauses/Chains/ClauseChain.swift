public import CofferSchema

/// A chain of clauses to which a program can add a condition, an order, or another change of the request.
///
/// ``From``, ``FetchChainBuilder``, ``QueryChainBuilder`` and ``SectionMonitorChainBuilder`` conform to this protocol.
/// Other types do not conform.
public protocol ClauseChain<O> {
    /// The class of the objects.
    associatedtype O: DynamicObject
    /// The type of the chain with one more clause.
    associatedtype ExtendedChain

    /// The chain with one more clause.
    func _appending<C: QueryClause>(_ clause: C) -> ExtendedChain
}
