/// The marks in a statement that keep a database from using an index.
public struct SQLIndexMarks: Sendable {
    /// The mark before an expression of an order.
    public let expression: String
    /// The mark after a table; it begins with a space.
    public let table: String

    /// Creates the marks of a database.
    public init(expression: String, table: String) {
        self.expression = expression
        self.table = table
    }
}
