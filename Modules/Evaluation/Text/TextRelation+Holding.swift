package import CofferStorage

/// Evaluates string conditions and comparisons with options, such as `contains[cd]`.
extension TextRelation {
    /// Whether the relation holds for two values; false unless both are strings.
    ///
    /// - Throws: `invalidRequest` if the second string must be a regular expression and is not a valid one.
    package func holds(_ left: Value, _ right: Value, _ options: TextOptions) throws(StorageError) -> Bool {
        guard case .text(let text) = left, case .text(let pattern) = right else { return false }
        return try TextPattern(self, pattern, options).holds(text)
    }
}

extension RowPredicate.Comparison {
    /// The same relation between strings.
    package var textRelation: TextRelation { TextRelation(rawValue: rawValue) ?? .equal }

    /// Whether the comparison holds for two values; strings are compared by the options.
    package func holds(_ left: Value, _ right: Value, _ options: TextOptions) throws(StorageError) -> Bool {
        guard !options.isEmpty, case .text = left, case .text = right else { return holds(left, right) }
        return try textRelation.holds(left, right, options)
    }
}
