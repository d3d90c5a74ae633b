import CofferSQL
import CofferStorage

/// Counts the rows of a range, and chooses between its index and the table.
extension SQLiteReader {
    /// Returns the way to the rows of a request with a range, by the number of the rows in the range.
    ///
    /// - Parameter isSorted: whether the statement sorts the rows.
    func rangePlan(_ request: RowRequest, isSorted: Bool = true) throws(StorageError) -> SQLRangePlan {
        guard let probe = tables.queries.probe(request, isSorted: isSorted),
            let (statement, _) = try prepare({ () throws(SQLUnsupportedExpression) in probe.statement })
        else { return .database }
        defer { statement.reset() }
        return probe.plan(for: try statement.step() ? Int(statement.integer(0)) : 0)
    }
}
