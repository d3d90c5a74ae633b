public import CofferStorage

/// An SQL statement: its string, its bound values, and the kinds of its result columns.
public struct SQLStatement: Hashable, Sendable {
    /// The string, with a placeholder for each value.
    public var text: String
    /// The values to bind, in the order of their placeholders.
    public var bindings: [Value]
    /// The kinds of the result's columns for a request for values; empty for other requests.
    ///
    /// A kind is nil for a number that may be an integer or a double.
    public var results: [ColumnKind?]
    /// Whether the database computes values, and may therefore fail if the stored numbers exceed its types.
    public var computes: Bool

    /// Creates a statement that binds some values.
    public init(
        _ text: String, bindings: [Value] = [], results: [ColumnKind?] = [], computes: Bool = false
    ) {
        self.text = text
        self.bindings = bindings
        self.results = results
        self.computes = computes
    }
}

extension SQLStatement {
    /// Returns the count, rounded up to a power of two.
    package static func paddedCount(_ count: Int) -> Int {
        count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }
}
