public import CofferClauses
public import CofferSchema
import CofferStorage
public import Foundation

extension QueryableSource {
    /// The first value a query finds; nil when there is none, or it is not of the type.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>().select(Int.self, .maximum(\.$age)))
    /// ```
    ///
    /// Queries see what is saved, never what is pending.
    ///
    /// - Throws: ``CoreStoreError``, logged once: no store holds the class, a key is unknown, a store failed.
    public func queryValue<O, U: QueryableAttributeType>(
        _ from: From<O>, _ selectClause: Select<O, U>, _ queryClauses: any QueryClause...
    ) throws(CoreStoreError) -> U? {
        try queryValue(from, selectClause, queryClauses)
    }

    /// The first value a query finds; nil when there is none, or it is not of the type.
    public func queryValue<O, U: QueryableAttributeType>(
        _ from: From<O>, _ selectClause: Select<O, U>, _ queryClauses: [any QueryClause]
    ) throws(CoreStoreError) -> U? {
        try _graph.calls.computing("query", O.self) { graph throws(CoreStoreError) in
            let query = try graph.calls.query(from, selectClause.selectTerms, queryClauses)
            let value = try graph.calls.values(query, limit: 1).first?.first ?? .null
            return (value.native as? U.QueryableNativeType).flatMap(U.cs_fromQueryableNativeType)
        }
    }

    /// The first value a query finds; nil when there is none, or it is not of the type.
    public func queryValue<B: QueryChainableBuilderType>(
        _ clauseChain: B
    ) throws(CoreStoreError) -> B.ResultType? where B.ResultType: QueryableAttributeType {
        try queryValue(clauseChain.from, clauseChain.select, clauseChain.queryClauses)
    }

    /// The values a query finds: for each object or group a dictionary, by attribute or alias, in the query's order.
    ///
    /// A null has no entry.
    ///
    /// ```swift
    /// let ages = try stack.queryAttributes(
    ///     From<Person>().select(NSDictionary.self, .attribute(\.$age), .count(\.$age, as: "people")).groupBy(\.$age)
    /// )
    /// ```
    public func queryAttributes<O>(
        _ from: From<O>, _ selectClause: Select<O, NSDictionary>, _ queryClauses: any QueryClause...
    ) throws(CoreStoreError) -> [[String: Any]] {
        try queryAttributes(from, selectClause, queryClauses)
    }

    /// The values a query finds: for each object or group a dictionary, by attribute or alias, in the query's order.
    public func queryAttributes<O>(
        _ from: From<O>, _ selectClause: Select<O, NSDictionary>, _ queryClauses: [any QueryClause]
    ) throws(CoreStoreError) -> [[String: Any]] {
        try _graph.calls.computing("query", O.self) { graph throws(CoreStoreError) in
            let query = try graph.calls.query(from, selectClause.selectTerms, queryClauses)
            return try graph.calls.values(query, limit: nil).map { values in
                var row: [String: Any] = [:]
                for (alias, value) in zip(query.aliases, values) { row[alias] = value.native }
                return row
            }
        }
    }

    /// The values a query finds: for each object or group a dictionary, by attribute or alias, in the query's order.
    public func queryAttributes<B: QueryChainableBuilderType>(
        _ clauseChain: B
    ) throws(CoreStoreError) -> [[String: Any]] where B.ResultType == NSDictionary {
        try queryAttributes(clauseChain.from, clauseChain.select, clauseChain.queryClauses)
    }
}
