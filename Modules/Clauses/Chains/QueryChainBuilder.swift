public import CofferSchema

/// A query as a chain of clauses: the class, the selected terms, and then the clauses from left to right.
///
/// ```swift
/// let oldest = From<Person>().select(Int.self, .maximum(\.$age)).where { $0.$city == "Bern" }
/// let age = try stack.queryValue(oldest)
/// ```
///
/// A chain is a value, and each method returns a new chain. Names and types are checked when a request is made with the
/// chain; the request then throws `invalidRequest`.
public struct QueryChainBuilder<O: DynamicObject, R: SelectResultType>: QueryChainableBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O
    /// The type of the results.
    public typealias ResultType = R

    /// The class of the objects, and the stores to search.
    public var from: From<O>
    /// The terms that the query returns.
    public var select: Select<O, R>
    /// The clauses, in the order they are applied.
    public var queryClauses: [any QueryClause]
}

extension QueryChainBuilder: ClauseChain {
    /// The chain with one more clause.
    public func _appending<C: QueryClause>(_ clause: C) -> QueryChainBuilder<O, R> { appending(clause) }

    /// Adds a clause.
    public func appending(_ clause: any QueryClause) -> QueryChainBuilder<O, R> {
        QueryChainBuilder(from: from, select: select, queryClauses: queryClauses + [clause])
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> QueryChainBuilder<O, R>
    where S.Element == any QueryClause {
        QueryChainBuilder(from: from, select: select, queryClauses: queryClauses + clauses)
    }
}
