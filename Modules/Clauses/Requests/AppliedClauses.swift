package import CofferStorage

/// A request after its clauses were applied, which any thread may use.
///
/// The clauses may have closures that belong to one thread.
// Sendable: nothing changes the request after the initializer, and nothing else refers to it.
package struct AppliedClauses: FetchClause, @unchecked Sendable {
    private let request: FetchRequest

    /// Applies clauses in their order.
    package init(_ clauses: [any FetchClause], entityName: EntityName) {
        let request = FetchRequest(entityName: entityName)
        for clause in clauses { clause.applyToFetchRequest(request) }
        // A closure may have kept a reference to its request, so another request receives the content.
        self.request = FetchRequest(entityName: entityName)
        self.request.replaceContents(with: request)
    }

    /// Replaces the whole content of a request, so this clause must be the only clause of the request.
    package func applyToFetchRequest(_ fetchRequest: FetchRequest) { fetchRequest.replaceContents(with: request) }
}
