public import CofferSchema
import CofferStorage

/// The beginning of a chain of clauses for a query.
extension From {
    /// Makes it a query.
    public func select<R>(_ clause: Select<O, R>) -> QueryChainBuilder<O, R> {
        QueryChainBuilder(from: self, select: clause, queryClauses: [])
    }

    /// Makes it a query of some terms, with results of a type.
    public func select<R>(
        _ resultType: R.Type, _ selectTerm: SelectTerm<O>, _ selectTerms: SelectTerm<O>...
    ) -> QueryChainBuilder<O, R> {
        select(Select([selectTerm] + selectTerms))
    }

    /// Makes it a query of some terms, with results of a type.
    public func select<R>(_ resultType: R.Type, _ selectTerms: [SelectTerm<O>]) -> QueryChainBuilder<O, R> {
        select(Select(selectTerms))
    }
}

extension From where O: CoreStoreObject {
    /// Makes it a query of a field: `From<Person>().select(\.$age)`.
    public func select<B, R: SelectResultType & FieldStorableType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<R>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }

    /// Makes it a query of a field; objects where it has no value give none.
    public func select<B, R: SelectResultType & FieldStorableType>(
        _ keyPath: KeyPath<O, FieldContainer<B>.Stored<R?>>
    ) -> QueryChainBuilder<O, R> {
        select(Select(keyPath))
    }
}

extension From {
    /// Makes it a query of a path or a computed value: `From<Dog>().select(\.$master ~ \.$name)`.
    public func select<T, R: SelectResultType & FieldStorableType>(
        _ expression: Where<O>.Expression<T, R>
    ) -> QueryChainBuilder<O, R> {
        select(Select(expression))
    }

    /// Makes it a query of a path or a computed value; objects where it has no value give none.
    public func select<T, R: SelectResultType & FieldStorableType>(
        _ expression: Where<O>.Expression<T, R?>
    ) -> QueryChainBuilder<O, R> {
        select(Select(expression))
    }
}
