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
    /// Whether the comparison holds for two values; strings are compared by the options.
    package func holds(_ left: Value, _ right: Value, _ options: TextOptions) throws(StorageError) -> Bool {
        guard !options.isEmpty, case .text = left, case .text = right else { return holds(left, right) }
        let relation: TextRelation =
            switch self {
            case .equal: .equal
            case .notEqual: .notEqual
            case .less: .less
            case .lessOrEqual: .lessOrEqual
            case .greater: .greater
            case .greaterOrEqual: .greaterOrEqual
            }
        return try relation.holds(left, right, options)
    }
}
