public import CofferSchema

/// Begins a query chain: selects fields, terms, paths or computed values.
extension From {
    /// Turns the chain into a query that returns the values of a clause.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>().select(Select<Person, Int>(.maximum(\.$age))))
    /// ```
    public func select<R>(_ clause: Select<O, R>) -> QueryChainBuilder<O, R> {
        QueryChainBuilder(from: self, select: clause, queryClauses: [])
    }

    /// Turns the chain into a query that returns the values of some terms.
    ///
    /// ```swift
    /// let oldest = try stack.queryValue(From<Person>().select(Int.self, .maximum(\.$age)))
    /// let rows = try stack.queryAttributes(
    ///     From<Person>().select(NSDictionary.self, .attribute(\.$city), .count(\.$name)).groupBy(\.$city)
    /// )
    /// ```
    ///
    /// Use a type of single values with `queryValue`, and `NSDictionary` with `queryAttributes`. With a type of single
    /// values, only the first term counts. A value of another type reads as nil. If a term has an unknown name, the
    /// query throws `invalidRequest`.
    public func select<R>(
        _ resultType: R.Type, _ selectTerm: SelectTerm<O>, _ selectTerms: SelectTerm<O>...
    ) -> QueryChainBuilder<O, R> {
        select(Select([selectTerm] + selectTerms))
    }

    /// Turns the chain into a query that returns the values of a list of terms.
    public func select<R>(_ resultType: R.Type, _ selectTerms: [SelectTerm<O>]) -> QueryChainBuilder<O, R> {
        select(Select(selectTerms))
    }
}

extension From where O: CoreStoreObject {
    /// Turns the chain into a query that returns the values of a field.
    ///
    /// ```swift
    /// let age = try stack.queryValue(From<Person>().select(\.$age).where { $0.$name == "Ann" })
    /// ```
    public func select<B, R: SelectResultType & FieldStorableType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }

    /// Turns the chain into a query that returns the values of an optional field; a null value reads as nil.
    public func select<B, R: SelectResultType & FieldStorableType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<R?>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }
}

extension From {
    /// Turns the chain into a query that returns a path or a computed value: `From<Dog>().select(\.$master ~ \.$name)`.
    public func select<T, R: SelectResultType & FieldStorableType>(
        _ expression: Where<O>.Expression<T, R>
    ) -> QueryChainBuilder<O, R> {
        select(Select(expression))
    }

    /// Turns the chain into a query that returns a path or a computed value; a null value reads as nil.
    public func select<T, R: SelectResultType & FieldStorableType>(
        _ expression: Where<O>.Expression<T, R?>
    ) -> QueryChainBuilder<O, R> {
        select(Select(expression))
    }
}
