/// Quotes names and strings for statements.
extension String {
    /// Returns the string between two marks, with each mark in the string doubled.
    ///
    /// The method compares Unicode scalars. For a database, a mark is also a mark if a combining character follows
    /// it.
    package func quoted(by mark: Unicode.Scalar) -> String { "\(mark)\(doubling(mark))\(mark)" }

    /// Returns the string with each mark in it doubled.
    package func doubling(_ mark: Unicode.Scalar) -> String {
        guard unicodeScalars.contains(mark) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.flatMap { $0 == mark ? [mark, mark] : [$0] }))
    }
}
