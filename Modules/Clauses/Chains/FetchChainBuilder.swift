public import CofferSchema

/// A fetch as a chain of clauses: the class, and then the clauses from left to right.
///
/// ```swift
/// let adults = From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name))
/// let people = try stack.fetchAll(adults)
/// ```
///
/// A chain is a value. Each method returns a new chain, so a program can keep a chain and extend it. Names and types
/// are checked when a request is made with the chain; the request then throws `invalidRequest`.
public struct FetchChainBuilder<O: DynamicObject>: FetchChainableBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The class of the objects, and the stores to search.
    public var from: From<O>
    /// The clauses, in the order they are applied.
    public var fetchClauses: [any FetchClause]
}

extension FetchChainBuilder: ClauseChain {
    /// The chain with one more clause.
    public func _appending<C: QueryClause>(_ clause: C) -> FetchChainBuilder<O> { appending(clause) }

    /// Adds a clause.
    public func appending(_ clause: any FetchClause) -> FetchChainBuilder<O> {
        FetchChainBuilder(from: from, fetchClauses: fetchClauses + [clause])
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> FetchChainBuilder<O>
    where S.Element == any FetchClause {
        FetchChainBuilder(from: from, fetchClauses: fetchClauses + clauses)
    }
}
