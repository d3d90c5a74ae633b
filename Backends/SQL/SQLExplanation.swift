import CofferEvaluation
public import CofferStorage

/// What a request becomes in a database.
public struct SQLExplanation: Hashable, Sendable {
    /// The statement for the rows that are asked for or, where a part is evaluated in memory, for those that may be.
    public let statement: SQLStatement
    /// What the dialect has no words for, so that the reference evaluator decides in memory; nil where the database
    /// answers the whole request.
    public let evaluated: String?
    /// Whether the store goes on in memory where the database cannot compute with the numbers that it meets.
    public let mayBeEvaluated: Bool

    /// Explains a request.
    ///
    /// - Parameter narrows: whether the store evaluates what the database fails at, and asks for fewer than all rows then.
    /// - Throws: `invalidRequest` for a request that does not fit the model.
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
            throw .invalidRequest("There are no words for \(error.what).")
        }
    }
}
