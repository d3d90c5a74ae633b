public import CofferStorage

/// An operand in a statement: the SQL of an expression, and the kind of its values.
public struct SQLOperand: Sendable {
    /// The string of the expression, which is valid in any position.
    ///
    /// If ``SQLDialect/sharesPlaces`` is true, a statement may repeat the string.
    public let text: String
    /// The kind of the values; nil for null.
    public let kind: ColumnKind?

    /// Creates an expression of a kind.
    public init(_ text: String, _ kind: ColumnKind?) {
        self.text = text
        self.kind = kind
    }
}
