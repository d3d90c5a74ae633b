public import CofferStorage

/// A statement's text, the values to bind in the order of their places, and the kinds of what it returns.
public struct SQLStatement: Hashable, Sendable {
    /// The text, with a placeholder for each value.
    public var text: String
    /// The values to bind, in the order of their places.
    public var bindings: [Value]
    /// The kinds of the result's columns, for requests for values; empty for others.
    ///
    /// Nil for a number that is an integer or a double, as it comes.
    public var results: [ColumnKind?]
    /// Whether the database computes values: it may fail then where the numbers that are there leave its types.
    public var computes: Bool

    /// A statement that binds some values.
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
    /// The next power of two.
    package static func paddedCount(_ count: Int) -> Int {
        count < 2 ? count : 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }
}
