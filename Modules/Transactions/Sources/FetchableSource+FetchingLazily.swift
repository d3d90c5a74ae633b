public import CofferClauses
public import CofferSchema
import CofferStorage

/// Fetches the keys of objects, and reads the objects in batches when they are used: `fetchLazily`.
extension FetchableSource {
    /// Returns the objects that a chain of clauses finds, and reads them in batches when they are used.
    ///
    /// ```swift
    /// let people = try stack.fetchLazily(From<Person>().orderBy(.ascending(\.$name)))
    /// let name = people[500_000]?.name
    /// ```
    ///
    /// The call reads the keys of all objects by one request. The first use of an object reads the 512 objects of its
    /// batch, or the number of objects that the tweak `fetchBatchSize` sets. An element is nil if its object was
    /// deleted after the fetch, or could not be read; see ``FetchedObjects``.
    ///
    /// Two fetches read the whole rows once to find the keys: a fetch in a transaction with pending changes that may
    /// affect the result, and an ordered fetch from several stores.
    ///
    /// - Returns: the objects of this source, as a collection; an empty collection if no object matches.
    /// - Throws: ``CoreStoreError`` if the keys cannot be read, as ``fetchAll(_:)`` throws it. The collection itself
    ///   does not throw: if a batch cannot be read, the error is logged, and the end of the transaction or read
    ///   throws it.
    public func fetchLazily<B: FetchChainableBuilderType>(
        _ clauseChain: B
    ) throws(CoreStoreError) -> FetchedObjects<B.ObjectType> {
        try fetchLazily(clauseChain.from, clauseChain.fetchClauses)
    }

    /// Returns the objects that a fetch finds, and reads them in batches when they are used.
    ///
    /// ```swift
    /// let adults = try stack.fetchLazily(From<Person>(), Where<Person>(\.$age >= 18))
    /// ```
    ///
    /// - Throws: ``CoreStoreError`` if the keys cannot be read.
    public func fetchLazily<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause...
    ) throws(CoreStoreError) -> FetchedObjects<O> {
        try fetchLazily(from, fetchClauses)
    }

    /// Returns the objects that a fetch with a list of clauses finds, and reads them in batches when they are used.
    public func fetchLazily<O>(
        _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) throws(CoreStoreError) -> FetchedObjects<O> {
        let graph = _graph
        return try graph.calls.fetching(O.self) { () throws(CoreStoreError) in
            try graph.calls.result(of: from, fetchClauses) { fetch throws(StorageError) in
                FetchedObjects(FetchedBatches(try graph.state.fetcher.keys(fetch), size: fetch.pageSize, graph))
            }
        }
    }
}
