import CofferClauses
import CofferSchema
import CofferStorage
import CofferTransactions

/// Creates the request of an observed list from clauses; an assertion fails if the list has no order.
extension ListRequest {
    /// Creates the request of clauses in a graph.
    ///
    /// - Throws: an error if no store holds the class, or if a key is unknown.
    init<O>(
        _ graph: ObjectGraph, _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause]
    ) throws(CoreStoreError) {
        let fetch = try graph.fetch(from, clauses)
        Diagnostics.assert(
            !fetch.order.isEmpty, "A list of '\(O.self)' was observed without an order. Add an 'orderBy'."
        )
        self = try CoreStoreError.converting { () throws(StorageError) in
            let sections = try sectionBy.map { sectionBy throws(StorageError) in
                try SectionNames(
                    graph, sectionBy.keyPath, fetch, indexTitle: sectionBy.sectionIndexTransformer
                )
            }
            return try ListRequest(graph, fetch, in: from.configurations, sections)
        }
    }
}
