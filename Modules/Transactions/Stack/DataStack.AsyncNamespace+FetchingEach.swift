public import CofferClauses
import CofferSchema
import CofferStorage

extension DataStack.AsyncNamespace {
    /// Returns the values of all objects of a fetch as a sequence that reads page by page: `async.fetchEach`.
    ///
    /// ```swift
    /// for try await line in stack.async.fetchEach(From<Person>(), { "\($0.name),\($0.age)" }) {
    ///     try file.write(line)
    /// }
    /// ```
    ///
    /// The closure runs on a thread of the stack, once for each object. The objects belong to the read of the loop, so
    /// return values or ids. The tweak `fetchBatchSize` sets the number of objects in a page. With one store, a loop
    /// needs constant memory for any number of objects. With several stores, the ids of all objects are read first.
    ///
    /// The clauses are applied once, when the method is called.
    ///
    /// - Returns: the sequence. It reads nothing before a loop begins. Each loop reads a snapshot of its own.
    public func fetchEach<B: FetchChainableBuilderType, Value: Sendable>(
        _ clauseChain: B, _ value: @escaping @Sendable (_ object: B.ObjectType) throws -> Value
    ) -> FetchedValues<Value> {
        fetchEach(clauseChain.from, clauseChain.fetchClauses, value)
    }

    /// Returns the values of all objects that a fetch with a list of clauses finds, page by page.
    public func fetchEach<O, Value: Sendable>(
        _ from: From<O>, _ fetchClauses: [any FetchClause],
        _ value: @escaping @Sendable (_ object: O) throws -> Value
    ) -> FetchedValues<Value> {
        let entity = base.binding.entity(of: from.entityClass).map { base.binding.layout.entities[$0].name }
        let clauses = AppliedClauses(fetchClauses, entityName: entity ?? "\(from.entityClass)")
        return FetchedValues(stack: base) { reading in
            let (state, calls) = (reading._graph.state, reading._graph.calls)
            var pages = try calls.result(of: from, [clauses]) { fetch throws(StorageError) in
                try FetchPages(state, fetch)
            }
            return { try calls.nextPage(&pages, O.self)?.map(value) }
        }
    }
}
