public import CofferClauses
public import CofferSchema
import CofferStorage

extension BaseDataTransaction {
    /// Deletes every object a fetch finds, pending ones included, under the delete rules.
    ///
    /// - Returns: how many the fetch found.
    @discardableResult
    public func deleteAll<O>(_ from: From<O>, _ deleteClauses: any DeleteClause...) throws(CoreStoreError) -> Int {
        try deleteAll(from, deleteClauses)
    }

    /// Deletes every object a fetch finds, pending ones included, under the delete rules.
    @discardableResult
    public func deleteAll<O>(_ from: From<O>, _ deleteClauses: [any DeleteClause]) throws(CoreStoreError) -> Int {
        try deleteAll(from, clauses: deleteClauses)
    }

    /// Deletes every object a fetch finds, pending ones included, under the delete rules.
    @discardableResult
    public func deleteAll<B: FetchChainableBuilderType>(_ clauseChain: B) throws(CoreStoreError) -> Int {
        try deleteAll(clauseChain.from, clauses: clauseChain.fetchClauses)
    }

    private func deleteAll<O>(_ from: From<O>, clauses: [any FetchClause]) throws(CoreStoreError) -> Int {
        try _graph.calls.reporting("delete") { () throws(CoreStoreError) in
            guard checkUsable("deleteAll") else { return 0 }
            let fetch = try _graph.fetch(from, clauses)
            let objects = try _graph.calls.foundObjects(fetch)
            try CoreStoreError.converting { () throws(StorageError) in try ObjectDeleter(state).delete(objects) }
            return objects.count
        }
    }
}
