public import CofferSchema
public import CofferStorage

/// Groups the objects of a query, filters the groups, and removes equal results: `groupBy`, `having`, `distinct`.
extension QueryChainBuilder {
    /// Groups the objects by a clause; the query returns one result for each group.
    ///
    /// A second `groupBy` replaces the first one, and logs a warning.
    public func groupBy(_ clause: GroupBy<O>) -> QueryChainBuilder<O, R> { appending(clause) }

    /// Groups the objects by the names of properties; the query returns one result for each group.
    ///
    /// ```swift
    /// From<Person>().select(NSDictionary.self, "city", .count("name")).groupBy("city")
    /// ```
    ///
    /// A second `groupBy` replaces the first one, and logs a warning.
    public func groupBy(_ keyPath: KeyPathString, _ keyPaths: KeyPathString...) -> QueryChainBuilder<O, R> {
        appending(GroupBy<O>([keyPath] + keyPaths))
    }

    /// Groups the objects by a list of names of properties; the query returns one result for each group.
    ///
    /// A second `groupBy` replaces the first one, and logs a warning.
    public func groupBy(_ keyPaths: [KeyPathString]) -> QueryChainBuilder<O, R> {
        appending(GroupBy<O>(keyPaths))
    }

    /// Keeps only the groups that fulfil a condition.
    ///
    /// ```swift
    /// let cities = try stack.queryAttributes(
    ///     From<Person>()
    ///         .select(NSDictionary.self, .attribute(\.$city), .count(\.$name, as: "people"))
    ///         .groupBy(\.$city)
    ///         .having(.count(\.$name) > 10)
    /// )
    /// ```
    ///
    /// The condition compares terms with constants. A second `having` replaces the first one, and logs a warning. If a
    /// term is an attribute without a group, the query throws `invalidRequest`.
    public func having(_ clause: Having<O>) -> QueryChainBuilder<O, R> { appending(clause) }

    /// Returns equal results only once: `From<Person>().select(NSDictionary.self, "city").distinct()`.
    public func distinct() -> QueryChainBuilder<O, R> { tweak { $0.returnsDistinctResults = true } }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// Groups the objects by a field; the query returns one result for each group.
    ///
    /// ```swift
    /// let ages = try stack.queryAttributes(
    ///     From<Person>().select(NSDictionary.self, .attribute(\.$city), .average(\.$age)).groupBy(\.$city)
    /// )
    /// ```
    ///
    /// Each selected attribute must be in the grouping, or the query throws `invalidRequest`. A second `groupBy`
    /// replaces the first one, and logs a warning.
    public func groupBy<K: AttributeKeyPathStringConvertible>(_ keyPath: KeyPath<O, K>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the objects by several fields: `.groupBy(\.$city, \.$age)`.
    ///
    /// A second `groupBy` replaces the first one, and logs a warning.
    @_disfavoredOverload
    public func groupBy<F: WhereOperand, each G: WhereOperand>(
        _ first: KeyPath<O, F>, _ more: repeat KeyPath<O, each G>
    ) -> QueryChainBuilder<O, R> {
        appending(GroupBy(first, repeat each more))
    }

    /// Groups the objects by the value of a path and by fields: `.groupBy(\.$master ~ \.$city, \.$age)`.
    ///
    /// A second `groupBy` replaces the first one, and logs a warning.
    public func groupBy<V, each F: WhereOperand>(
        _ path: Where<O>.Expression<Where<O>.SingleTarget, V>, _ fields: repeat KeyPath<O, each F>
    ) -> QueryChainBuilder<O, R> {
        appending(GroupBy(path, repeat each fields))
    }
}
