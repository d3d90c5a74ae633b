public import CofferSchema
import CofferStorage

extension FetchChainBuilder {
    /// Adds a condition, written with key paths: `.where(\.$age >= 18)`.
    ///
    /// It replaces an earlier condition, and logs a warning: combine conditions with `&&` instead.
    public func `where`(_ clause: Where<O>) -> FetchChainBuilder<O> {
        appending(clause)
    }

    /// Adds a condition that requires all of some conditions.
    public func `where`(combineByAnd clauses: Where<O>...) -> FetchChainBuilder<O> {
        appending(clauses.combinedByAnd())
    }

    /// Adds a condition that requires at least one of some conditions.
    public func `where`(combineByOr clauses: Where<O>...) -> FetchChainBuilder<O> {
        appending(clauses.combinedByOr())
    }

    /// Adds an order.
    ///
    /// It replaces an earlier order, and logs a warning.
    public func orderBy(_ clause: OrderBy<O>) -> FetchChainBuilder<O> {
        appending(clause)
    }

    /// Adds an order by one or several sort keys: `.orderBy(.ascending(\.$name), .descending(\.$age))`.
    ///
    /// The first key decides first. The order replaces an earlier one, and logs a warning.
    public func orderBy(_ sortKey: OrderBy<O>.SortKey, _ sortKeys: OrderBy<O>.SortKey...) -> FetchChainBuilder<O> {
        appending(OrderBy([sortKey] + sortKeys))
    }

    /// Adds an order by a list of sort keys; the first key decides first.
    ///
    /// It replaces an earlier order, and logs a warning.
    public func orderBy(_ sortKeys: [OrderBy<O>.SortKey]) -> FetchChainBuilder<O> {
        appending(OrderBy(sortKeys))
    }

    /// Adds a closure that changes the request after the clauses before it: `.tweak { $0.fetchLimit = 20 }`.
    public func tweak(_ fetchRequest: @escaping (FetchRequest) -> Void) -> FetchChainBuilder<O> {
        appending(Tweak(fetchRequest))
    }

    /// Limits the number of objects that a fetch finds; with 0, it finds none.
    public func limit(_ count: Int) -> FetchChainBuilder<O> {
        tweak { $0.setLimit(count) }
    }

    /// Skips the first objects of the order.
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
    /// Adds a condition, written with the fields of an object: `.where { $0.$age > 3 }`.
    ///
    /// It replaces an earlier condition, and logs a warning: combine conditions with `&&` instead.
    public func `where`(_ clause: (O) -> Where<O>) -> FetchChainBuilder<O> {
        appending(Where(clause))
    }

    /// Adds a condition, written with the fields of a superclass of the object.
    @_disfavoredOverload
    public func `where`<T: AnyWhereClause>(_ clause: (O) -> T) -> FetchChainBuilder<O> {
        appending(clause(MetaObjects.meta(of: O.self)))
    }
}
