package import CofferStorage

extension TextRelation {
    /// Whether two values relate so; false unless both are texts.
    ///
    /// - Throws: `invalidRequest` when the second is to be a regular expression and is none.
    package func holds(_ left: Value, _ right: Value, _ options: TextOptions) throws(StorageError) -> Bool {
        guard case .text(let text) = left, case .text(let pattern) = right else { return false }
        return try TextPattern(self, pattern, options).holds(text)
    }
}

extension RowPredicate.Comparison {
    /// Whether the comparison holds between two values, of which texts are compared by the options.
    package func holds(_ left: Value, _ right: Value, _ options: TextOptions) throws(StorageError) -> Bool {
        guard !options.isEmpty, case .text = left, case .text = right else { return holds(left, right) }
        return try (TextRelation(rawValue: rawValue) ?? .equal).holds(left, right, options)
    }
}
