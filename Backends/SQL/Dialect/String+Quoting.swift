/// Writes names and texts into statements.
extension String {
    /// The string between two marks, with each of these marks in it doubled.
    ///
    /// Marks are found as Unicode scalars. For a database, a mark is also a mark if a combining character follows it.
    package func quoted(by mark: Unicode.Scalar) -> String { "\(mark)\(doubling(mark))\(mark)" }

    /// The string with each mark in it doubled.
    package func doubling(_ mark: Unicode.Scalar) -> String {
        guard unicodeScalars.contains(mark) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.flatMap { $0 == mark ? [mark, mark] : [$0] }))
    }
}
