public import CofferSchema
import CofferStorage

extension FetchChainBuilder {
    /// Adds a condition.
    ///
    /// It replaces an earlier one, with a warning: combine them with `&&` instead.
    public func `where`(_ clause: Where<O>) -> FetchChainBuilder<O> {
        appending(clause)
    }

    /// Adds a condition: all of some conditions.
    public func `where`(combineByAnd clauses: Where<O>...) -> FetchChainBuilder<O> {
        appending(clauses.combinedByAnd())
    }

    /// Adds a condition: at least one of some conditions.
    public func `where`(combineByOr clauses: Where<O>...) -> FetchChainBuilder<O> {
        appending(clauses.combinedByOr())
    }

    /// Adds an order.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ clause: OrderBy<O>) -> FetchChainBuilder<O> {
        appending(clause)
    }

    /// Adds an order by some keys, the first one deciding first.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ sortKey: OrderBy<O>.SortKey, _ sortKeys: OrderBy<O>.SortKey...) -> FetchChainBuilder<O> {
        appending(OrderBy([sortKey] + sortKeys))
    }

    /// Adds an order by some keys, the first one deciding first.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ sortKeys: [OrderBy<O>.SortKey]) -> FetchChainBuilder<O> {
        appending(OrderBy(sortKeys))
    }

    /// Changes the request by hand, after the clauses so far.
    public func tweak(_ fetchRequest: @escaping (FetchRequest) -> Void) -> FetchChainBuilder<O> {
        appending(Tweak(fetchRequest))
    }

    /// Finds so many objects at most; with 0, none.
    public func limit(_ count: Int) -> FetchChainBuilder<O> {
        tweak { $0.setLimit(count) }
    }

    /// Leaves out so many objects first.
    public func offset(_ count: Int) -> FetchChainBuilder<O> {
        tweak { $0.fetchOffset = count }
    }

    /// Adds a clause.
    public func appending(_ clause: any FetchClause) -> FetchChainBuilder<O> {
        appending(contentsOf: CollectionOfOne(clause))
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> FetchChainBuilder<O>
    where S.Element == any FetchClause {
        FetchChainBuilder(from: from, fetchClauses: fetchClauses + clauses)
    }
}

extension FetchChainBuilder where O: CoreStoreObject {
    /// Adds a condition written with the fields of an object: `.where { $0.$age > 3 }`.
    public func `where`(_ clause: (O) -> Where<O>) -> FetchChainBuilder<O> {
        appending(Where(clause))
    }

    /// Adds a condition written with the fields of a superclass of the object.
    @_disfavoredOverload
    public func `where`<T: AnyWhereClause>(_ clause: (O) -> T) -> FetchChainBuilder<O> {
        appending(clause(MetaObjects.meta(of: O.self)))
    }
}
