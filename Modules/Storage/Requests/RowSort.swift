/// A sort descriptor of a request for rows: an expression and a direction.
///
/// Null comes first in ascending order and last in descending order (`fetching/null-sorts-first`).
public struct RowSort: Hashable, Sendable {
    /// The value to sort by.
    public var expression: RowExpression
    /// Whether the order is ascending.
    public var ascending: Bool

    /// Creates an order by one value.
    public init(_ expression: RowExpression, ascending: Bool) {
        self.expression = expression
        self.ascending = ascending
    }
}
