/// Evaluates the condition of a format string in memory: the public method `evaluate(with:)`.
extension PredicateFormat {
    /// Returns whether a value fulfils the condition.
    ///
    /// ```swift
    /// let isGrown = try PredicateFormat("age >= $limit AND ANY toys.name LIKE[c] 'b*'")
    /// let dog: [String: Any] = ["age": 3, "toys": [["name": "Ball"]]]
    /// print(try isGrown.evaluate(with: dog, substitutionVariables: ["limit": 2]))   // true
    /// ```
    ///
    /// The value may have any type that an argument of a format string may have. A dictionary represents an object with
    /// its properties. For a collection, a key gives the values of all members. Null equals only null, is neither less
    /// nor greater than any value, and has null for every key. Strings are compared by their bytes unless the options
    /// ignore a difference.
    ///
    /// - Parameter object: the value of `SELF`.
    /// - Parameter substitutionVariables: the values of the `$variables`, by name.
    /// - Throws: ``FormatEvaluationError`` if an operator does not accept its values, for example an order of a string
    ///   and a number, a quantifier of one value, or `BETWEEN` with three values.
    public func evaluate(
        with object: Any?, substitutionVariables: [String: Any] = [:]
    ) throws(FormatEvaluationError) -> Bool {
        var evaluator = try FormatEvaluator(object, substitutionVariables)
        return try evaluator.holds(self)
    }
}
