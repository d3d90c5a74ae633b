public import CofferStorage

/// An expression as a dialect sees it: its text, and the kind of its values.
public struct SQLOperand: Sendable {
    /// The text, which stands by itself in any place.
    ///
    /// May be repeated where ``SQLDialect/sharesPlaces`` says so.
    public let text: String
    /// The kind of the values; nil for null.
    public let kind: ColumnKind?

    /// An expression of a kind.
    public init(_ text: String, _ kind: ColumnKind?) {
        self.text = text
        self.kind = kind
    }
}
