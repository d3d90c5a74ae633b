public import CofferClauses
public import CofferSchema
import CofferStorage
public import Foundation

/// Queries values and aggregates: `queryValue` and `queryAttributes`.
extension QueryableSource {
    /// Returns the first value that a query finds.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>(), Select<Person, Int>(.maximum(\.$age)))
    /// ```
    ///
    /// The store computes the value. A query in a transaction reads the saved values, and not the pending changes.
    ///
    /// - Returns: the value of the first term; nil if there is no result, or the value is null or of another type.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func queryValue<O, U: QueryableAttributeType>(
        _ from: From<O>, _ selectClause: Select<O, U>, _ queryClauses: any QueryClause...
    ) throws(CoreStoreError) -> U? {
        try queryValue(from, selectClause, queryClauses)
    }

    /// Returns the first value that a query with a list of clauses finds; nil if there is none.
    public func queryValue<O, U: QueryableAttributeType>(
        _ from: From<O>, _ selectClause: Select<O, U>, _ queryClauses: [any QueryClause]
    ) throws(CoreStoreError) -> U? {
        let values = try _graph.calls.values(from, selectClause.selectTerms, queryClauses, limit: 1)
        let value = values.rows.first?.first ?? .null
        return (value.native as? U.QueryableNativeType).flatMap(U.cs_fromQueryableNativeType)
    }

    /// Returns the first value that a chain of clauses finds.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>().select(Int.self, .maximum(\.$age)))
    /// ```
    ///
    /// The store computes the value. A query in a transaction reads the saved values, and not the pending changes.
    ///
    /// - Returns: the value of the first term; nil if there is no result, or the value is null or of another type.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example for an unknown key.
    public func queryValue<B: QueryChainableBuilderType>(
        _ clauseChain: B
    ) throws(CoreStoreError) -> B.ResultType? where B.ResultType: QueryableAttributeType {
        try queryValue(clauseChain.from, clauseChain.select, clauseChain.queryClauses)
    }

    /// Returns a dictionary of values for each object or group that a query finds.
    ///
    /// ```swift
    /// let rows = try stack.queryAttributes(
    ///     From<Person>(), Select<Person, NSDictionary>(.attribute(\.$name), .attribute(\.$age))
    /// )
    /// print(rows.first?["name"] as? String ?? "")
    /// ```
    ///
    /// The keys are the names of the attributes, or the aliases of the terms. A null value has no entry. A query in a
    /// transaction reads the saved values, and not the pending changes.
    ///
    /// - Returns: the dictionaries in the order of the query; an empty array if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example if a selected attribute of a grouped query is not in its
    ///   `GroupBy`.
    public func queryAttributes<O>(
        _ from: From<O>, _ selectClause: Select<O, NSDictionary>, _ queryClauses: any QueryClause...
    ) throws(CoreStoreError) -> [[String: Any]] {
        try queryAttributes(from, selectClause, queryClauses)
    }

    /// Returns a dictionary of values for each object or group that a query with a list of clauses finds.
    public func queryAttributes<O>(
        _ from: From<O>, _ selectClause: Select<O, NSDictionary>, _ queryClauses: [any QueryClause]
    ) throws(CoreStoreError) -> [[String: Any]] {
        let found = try _graph.calls.values(from, selectClause.selectTerms, queryClauses, limit: nil)
        return found.rows.map { values in
            var row: [String: Any] = [:]
            for (alias, value) in zip(found.aliases, values) { row[alias] = value.native }
            return row
        }
    }

    /// Returns a dictionary of values for each object or group that a chain of clauses finds.
    ///
    /// ```swift
    /// let ages = try stack.queryAttributes(
    ///     From<Person>().select(NSDictionary.self, .attribute(\.$age), .count(\.$age, as: "people")).groupBy(\.$age)
    /// )
    /// ```
    ///
    /// The keys are the names of the attributes, or the aliases of the terms. A null value has no entry. A query in a
    /// transaction reads the saved values, and not the pending changes.
    ///
    /// - Returns: the dictionaries in the order of the query; an empty array if no object matches.
    /// - Throws: ``CoreStoreError``, which is also logged. The case is `persistentStoreNotFound` if no store holds the
    ///   class. Otherwise it is `internalError`, for example if a selected attribute of a grouped query is not in its
    ///   `groupBy`.
    public func queryAttributes<B: QueryChainableBuilderType>(
        _ clauseChain: B
    ) throws(CoreStoreError) -> [[String: Any]] where B.ResultType == NSDictionary {
        try queryAttributes(clauseChain.from, clauseChain.select, clauseChain.queryClauses)
    }
}
