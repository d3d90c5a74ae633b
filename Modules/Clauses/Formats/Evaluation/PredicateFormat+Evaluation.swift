extension PredicateFormat {
    /// Whether a value fulfils the condition.
    ///
    /// ```swift
    /// let isGrown = try PredicateFormat("age >= $limit AND ANY toys.name LIKE[c] 'b*'")
    /// let dog: [String: Any] = ["age": 3, "toys": [["name": "Ball"]]]
    /// print(try isGrown.evaluate(with: dog, substitutionVariables: ["limit": 2]))   // true
    /// ```
    ///
    /// The value is anything that may be an argument of a format string; objects are dictionaries by their keys. A key
    /// of a collection leads to the values of its members. Null equals null and nothing else, is neither less nor
    /// greater, and has null for every key. Texts compare by their bytes unless the options say otherwise.
    ///
    /// - Parameter object: what `SELF` is.
    /// - Parameter substitutionVariables: the values of `$` names.
    /// - Throws: ``FormatEvaluationError`` where the values are not what an operator is for: an order of a text and a
    ///   number, a quantifier of one value, `BETWEEN` with three.
    public func evaluate(
        with object: Any?, substitutionVariables: [String: Any] = [:]
    ) throws(FormatEvaluationError) -> Bool {
        var evaluator = try FormatEvaluator(object, substitutionVariables)
        return try evaluator.holds(self)
    }
}
