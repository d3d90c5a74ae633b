/// A statement that counts the rows of a range, up to a limit.
public struct SQLRangeProbe: Sendable {
    /// The statement, with one number as its result.
    public let statement: SQLStatement
    /// The number at which the statement stops counting.
    let limit: Int
    /// Whether the result is ordered by key, like the table.
    let isOrderedByKey: Bool

    /// Returns the plan for a result of the statement.
    public func plan(for count: Int) -> SQLRangePlan {
        if count < limit { return .index }
        return isOrderedByKey ? .table : .database
    }
}
