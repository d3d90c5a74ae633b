public import CofferClauses
import CofferSchema
import CofferStorage

extension FetchableSource {
    /// Calls a closure with each object of a fetch, page by page: `fetchEach` of stacks, transactions and reads.
    ///
    /// ```swift
    /// try stack.read { reading in
    ///     try reading.fetchEach(From<Person>().orderBy(.ascending(\.$name))) { person in
    ///         print(person.name)
    ///     }
    /// }
    /// ```
    ///
    /// Only the objects of a page are in memory, unless the program keeps more of them. Relationships are loaded for a
    /// page at once. The tweak `fetchBatchSize` sets the number of objects in a page.
    ///
    /// A read sees one snapshot, and needs constant memory for any number of objects if one store has them. A
    /// transaction and a data stack read the ids of all objects first, because the closure or other code may change
    /// the objects. In this case, the closure receives each object that matched at the beginning once, in the order
    /// of the beginning. Objects that were deleted in the meantime are left out.
    ///
    /// - Throws: the error of the closure, which ends the fetch; ``CoreStoreError`` if the fetch fails, as
    ///   ``fetchAll(_:)`` throws it.
    public func fetchEach<B: FetchChainableBuilderType>(
        _ clauseChain: B, _ body: (_ object: B.ObjectType) throws -> Void
    ) throws {
        try fetchEach(clauseChain.from, clauseChain.fetchClauses, body)
    }

    /// Calls a closure with each object that a fetch finds, and reads the objects page by page.
    public func fetchEach<O>(
        _ from: From<O>, _ fetchClauses: any FetchClause..., body: (_ object: O) throws -> Void
    ) throws {
        try fetchEach(from, fetchClauses, body)
    }

    /// Calls a closure with each object that a fetch with a list of clauses finds, and reads the objects page by page.
    public func fetchEach<O>(
        _ from: From<O>, _ fetchClauses: [any FetchClause], _ body: (_ object: O) throws -> Void
    ) throws {
        let (state, calls) = (_graph.state, _graph.calls)
        var pages = try calls.fetching(O.self) { () throws(CoreStoreError) in
            try calls.result(of: from, fetchClauses) { fetch throws(StorageError) in try FetchPages(state, fetch) }
        }
        while let page = try calls.fetching(
            O.self, { () throws(CoreStoreError) in try calls.nextPage(&pages, O.self) })
        {
            for object in page { try body(object) }
        }
    }
}
