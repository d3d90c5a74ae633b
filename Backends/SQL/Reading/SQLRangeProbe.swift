/// A statement that counts the rows of a range, up to a limit.
public struct SQLRangeProbe: Sendable {
    /// The statement, with one number as its result.
    public let statement: SQLStatement
    /// The number at which the statement stops to count.
    let limit: Int
    /// Whether the result has the order of the keys, which the table has as well.
    let isOrderedByKey: Bool

    /// Returns the way to the rows for the result of the statement.
    public func plan(for count: Int) -> SQLRangePlan {
        if count < limit { return .index }
        return isOrderedByKey ? .table : .database
    }
}
