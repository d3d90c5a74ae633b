public import CofferSchema
public import CofferStorage

extension QueryChainBuilder {
    /// Adds a condition, written with key paths: `.where(\.$age >= 18)`.
    ///
    /// It replaces an earlier condition, and logs a warning: combine conditions with `&&` instead.
    public func `where`(_ clause: Where<O>) -> QueryChainBuilder<O, R> {
        appending(clause)
    }

    /// Adds a condition that requires all of some conditions.
    public func `where`(combineByAnd clauses: Where<O>...) -> QueryChainBuilder<O, R> {
        appending(clauses.combinedByAnd())
    }

    /// Adds a condition that requires at least one of some conditions.
    public func `where`(combineByOr clauses: Where<O>...) -> QueryChainBuilder<O, R> {
        appending(clauses.combinedByOr())
    }

    /// Adds an order.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ clause: OrderBy<O>) -> QueryChainBuilder<O, R> {
        appending(clause)
    }

    /// Adds an order by one or several sort keys: `.orderBy(.ascending(\.$name), .descending(\.$age))`.
    ///
    /// The first key decides first. A key may be the alias of a selected term. The order replaces an earlier one, and
    /// logs a warning.
    public func orderBy(_ sortKey: OrderBy<O>.SortKey, _ sortKeys: OrderBy<O>.SortKey...) -> QueryChainBuilder<O, R> {
        appending(OrderBy([sortKey] + sortKeys))
    }

    /// Adds an order by some keys, the first one deciding first.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ sortKeys: [OrderBy<O>.SortKey]) -> QueryChainBuilder<O, R> {
        appending(OrderBy(sortKeys))
    }

    /// Adds a closure that changes the request after the clauses before it.
    public func tweak(_ fetchRequest: @escaping (FetchRequest) -> Void) -> QueryChainBuilder<O, R> {
        appending(Tweak(fetchRequest))
    }

    /// Groups the objects by a clause; the query returns one result for each group.
    ///
    /// It replaces an earlier grouping, and logs a warning.
    public func groupBy(_ clause: GroupBy<O>) -> QueryChainBuilder<O, R> {
        appending(clause)
    }

    /// Groups the objects by the names of properties; the query returns one result for each group.
    ///
    /// ```swift
    /// From<Person>().select(NSDictionary.self, "city", .count("name")).groupBy("city")
    /// ```
    ///
    /// It replaces an earlier grouping, and logs a warning.
    public func groupBy(_ keyPath: KeyPathString, _ keyPaths: KeyPathString...) -> QueryChainBuilder<O, R> {
        appending(GroupBy<O>([keyPath] + keyPaths))
    }

    /// Groups the results by properties.
    ///
    /// It replaces an earlier grouping, with a warning.
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
    public func having(_ clause: Having<O>) -> QueryChainBuilder<O, R> {
        appending(clause)
    }

    /// Returns equal results only once: `From<Person>().select(NSDictionary.self, "city").distinct()`.
    public func distinct() -> QueryChainBuilder<O, R> {
        tweak { $0.returnsDistinctResults = true }
    }

    /// Limits the number of results; with 0, the query returns none.
    ///
    /// A limit counts results, and not the objects of a group.
    public func limit(_ count: Int) -> QueryChainBuilder<O, R> {
        tweak { $0.setLimit(count) }
    }

    /// Skips the first results of the order.
    public func offset(_ count: Int) -> QueryChainBuilder<O, R> {
        tweak { $0.fetchOffset = count }
    }

    /// Adds a clause.
    public func appending(_ clause: any QueryClause) -> QueryChainBuilder<O, R> {
        appending(contentsOf: CollectionOfOne(clause))
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> QueryChainBuilder<O, R>
    where S.Element == any QueryClause {
        QueryChainBuilder(from: from, select: select, queryClauses: queryClauses + clauses)
    }
}

extension QueryChainBuilder where O: CoreStoreObject {
    /// Adds a condition, written with the fields of an object: `.where { $0.$age > 3 }`.
    ///
    /// It replaces an earlier condition, and logs a warning: combine conditions with `&&` instead.
    public func `where`(_ clause: (O) -> Where<O>) -> QueryChainBuilder<O, R> {
        appending(Where(clause))
    }

    /// Adds a condition written with the fields of a superclass of the object.
    @_disfavoredOverload
    public func `where`<T: AnyWhereClause>(_ clause: (O) -> T) -> QueryChainBuilder<O, R> {
        appending(clause(MetaObjects.meta(of: O.self)))
    }

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
    public func groupBy<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Stored<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by a coded field, which the query refuses.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Coded<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by a virtual field, which the query refuses.
    public func groupBy<B, T>(_ keyPath: KeyPath<O, FieldContainer<B>.Virtual<T>>) -> QueryChainBuilder<O, R> {
        appending(GroupBy(keyPath))
    }

    /// Groups the results by several fields: `.groupBy(\.$city, \.$age)`.
    ///
    /// It replaces an earlier grouping, with a warning.
    public func groupBy<F: WhereOperand, each G: WhereOperand>(
        _ first: KeyPath<O, F>, _ more: repeat KeyPath<O, each G>
    ) -> QueryChainBuilder<O, R> {
        appending(GroupBy(first, repeat each more))
    }

    /// Groups the results by what a path leads to, and by fields: `.groupBy(\.$master ~ \.$city, \.$age)`.
    ///
    /// It replaces an earlier grouping, with a warning.
    public func groupBy<V, each F: WhereOperand>(
        _ path: Where<O>.Expression<Where<O>.SingleTarget, V>, _ fields: repeat KeyPath<O, each F>
    ) -> QueryChainBuilder<O, R> {
        appending(GroupBy(path, repeat each fields))
    }
}
