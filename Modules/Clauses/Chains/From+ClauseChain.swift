/// Begins a fetch chain with a clause such as `where` or `orderBy`.
extension From: ClauseChain {
    /// Begins a chain with a clause.
    public func _appending<C: QueryClause>(_ clause: C) -> FetchChainBuilder<O> { appending(clause) }

    /// Adds a clause, as `where`, `orderBy` and `tweak` do.
    public func appending(_ clause: any FetchClause) -> FetchChainBuilder<O> {
        FetchChainBuilder(from: self, fetchClauses: [clause])
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> FetchChainBuilder<O>
    where S.Element == any FetchClause {
        FetchChainBuilder(from: self, fetchClauses: Array(clauses))
    }
}
