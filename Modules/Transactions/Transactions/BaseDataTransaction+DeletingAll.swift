public import CofferClauses
public import CofferSchema
import CofferStorage

/// Deletes all objects that match a fetch: `deleteAll`.
extension BaseDataTransaction {
    /// Deletes all objects that a fetch finds.
    ///
    /// ```swift
    /// let count = try transaction.deleteAll(From<Dog>(), Where<Dog>(\.$age > 20))
    /// ```
    ///
    /// The fetch includes pending changes. The delete rules are applied to each object at once.
    ///
    /// - Returns: the number of objects that the fetch has found.
    /// - Throws: ``CoreStoreError``, which is also logged, if the fetch fails or a related object cannot be read. The
    ///   commit checks the rule `.deny`.
    @discardableResult
    public func deleteAll<O>(_ from: From<O>, _ deleteClauses: any DeleteClause...) throws(CoreStoreError) -> Int {
        try deleteAll(from, deleteClauses)
    }

    /// Deletes all objects that a fetch with a list of clauses finds, and returns their number.
    @discardableResult
    public func deleteAll<O>(_ from: From<O>, _ deleteClauses: [any DeleteClause]) throws(CoreStoreError) -> Int {
        try deleteAll(from, clauses: deleteClauses)
    }

    /// Deletes all objects that a chain of clauses finds.
    ///
    /// ```swift
    /// let count = try transaction.deleteAll(From<Dog>().where { $0.$age > 20 })
    /// ```
    ///
    /// The fetch includes pending changes. The delete rules are applied to each object at once.
    ///
    /// - Returns: the number of objects that the fetch has found.
    /// - Throws: ``CoreStoreError``, which is also logged, if the fetch fails or a related object cannot be read. The
    ///   commit checks the rule `.deny`.
    @discardableResult
    public func deleteAll<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> Int {
        try deleteAll(clauseChain.from, clauses: clauseChain.fetchClauses)
    }

    private func deleteAll<O>(_ from: From<O>, clauses: [any FetchClause]) throws(CoreStoreError) -> Int {
        try _graph.calls.reporting("delete") { () throws(CoreStoreError) in
            guard checkUsable("deleteAll") else { return 0 }
            return try _graph.calls.result(of: from, clauses) { fetch throws(StorageError) in
                let objects = try _graph.objects(fetch)
                try state.deleter.delete(objects)
                return objects.count
            }
        }
    }
}
