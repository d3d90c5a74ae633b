package import CofferStorage

/// Clauses that have been applied to a request already.
///
/// Clauses may have closures that belong to one thread. Their result may be used on any.
// Sendable: nothing changes the request after the initializer, and nothing else refers to it.
package struct AppliedClauses: FetchClause, @unchecked Sendable {
    private let request: FetchRequest

    /// Applies clauses in their order.
    package init(_ clauses: [any FetchClause], entityName: EntityName) {
        let request = FetchRequest(entityName: entityName)
        for clause in clauses { clause.applyToFetchRequest(request) }
        // A closure may have kept the request that it was called with.
        self.request = FetchRequest(entityName: entityName)
        self.request.copy(request)
    }

    /// Makes a request equal to the one that the clauses have made.
    package func applyToFetchRequest(_ fetchRequest: FetchRequest) { fetchRequest.copy(request) }
}
