import CofferEvaluation
public import CofferStorage

/// The explanation of a request: its SQL statement, and the part that is evaluated in memory.
public struct SQLExplanation: Hashable, Sendable {
    /// The statement for the rows; if a part is evaluated in memory, the statement may return more rows.
    public let statement: SQLStatement
    /// The part of the request that the reference evaluator evaluates in memory; nil if there is no such part.
    public let evaluated: String?
    /// Whether the store continues in memory if the database cannot compute with the stored numbers.
    public let mayBeEvaluated: Bool

    /// Explains a request.
    ///
    /// - Parameter narrows: whether the store reads fewer than all rows if the database fails and the request is
    ///   evaluated in memory.
    /// - Throws: `invalidRequest` if the request does not fit the model.
    public init(_ request: RowRequest, _ queries: SQLQueries, narrows: Bool) throws(StorageError) {
        try queries.schema.layout.check(request)
        do throws(SQLUnsupportedExpression) {
            if let unordered = try queries.unorderedRows(request) {
                statement = unordered
            } else {
                statement = try queries.rows(request)
            }
            evaluated = nil
            mayBeEvaluated = narrows && statement.computes
            return
        } catch {
            evaluated = error.what
            mayBeEvaluated = false
        }
        let all = RowRequest(entity: queries.schema.layout.entities[request.entity].root)
        do throws(SQLUnsupportedExpression) {
            statement = try queries.rows(narrows ? queries.superset(of: request) : all)
        } catch {
            throw .invalidRequest("SQL cannot express \(error.what).")
        }
    }
}
