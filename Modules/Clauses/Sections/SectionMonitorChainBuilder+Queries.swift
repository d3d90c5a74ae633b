public import CofferSchema
import CofferStorage

extension SectionMonitorChainBuilder {
    /// Adds a condition.
    ///
    /// It replaces an earlier one, with a warning: combine them with `&&` instead.
    public func `where`(_ clause: Where<O>) -> SectionMonitorChainBuilder<O> {
        appending(clause)
    }

    /// Adds a condition: all of some conditions.
    public func `where`(combineByAnd clauses: Where<O>...) -> SectionMonitorChainBuilder<O> {
        appending(clauses.combinedByAnd())
    }

    /// Adds a condition: at least one of some conditions.
    public func `where`(combineByOr clauses: Where<O>...) -> SectionMonitorChainBuilder<O> {
        appending(clauses.combinedByOr())
    }

    /// Adds an order.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ clause: OrderBy<O>) -> SectionMonitorChainBuilder<O> {
        appending(clause)
    }

    /// Adds an order by some keys, the first one deciding first.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(
        _ sortKey: OrderBy<O>.SortKey, _ sortKeys: OrderBy<O>.SortKey...
    ) -> SectionMonitorChainBuilder<O> {
        appending(OrderBy([sortKey] + sortKeys))
    }

    /// Adds an order by some keys, the first one deciding first.
    ///
    /// It replaces an earlier one, with a warning.
    public func orderBy(_ sortKeys: [OrderBy<O>.SortKey]) -> SectionMonitorChainBuilder<O> {
        appending(OrderBy(sortKeys))
    }

    /// Changes the request by hand, after the clauses so far.
    public func tweak(_ fetchRequest: @escaping (FetchRequest) -> Void) -> SectionMonitorChainBuilder<O> {
        appending(Tweak(fetchRequest))
    }

    /// Finds so many objects at most; with 0, none.
    public func limit(_ count: Int) -> SectionMonitorChainBuilder<O> {
        tweak { $0.setLimit(count) }
    }

    /// Leaves out so many objects first.
    public func offset(_ count: Int) -> SectionMonitorChainBuilder<O> {
        tweak { $0.fetchOffset = count }
    }

    /// Adds a clause.
    public func appending(_ clause: any FetchClause) -> SectionMonitorChainBuilder<O> {
        appending(contentsOf: CollectionOfOne(clause))
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> SectionMonitorChainBuilder<O>
    where S.Element == any FetchClause {
        SectionMonitorChainBuilder(from: from, sectionBy: sectionBy, fetchClauses: fetchClauses + clauses)
    }
}

extension SectionMonitorChainBuilder where O: CoreStoreObject {
    /// Adds a condition, written with the fields of an object: `.where { $0.$age > 3 }`.
    ///
    /// It replaces an earlier condition, and logs a warning: combine conditions with `&&` instead.
    public func `where`(_ clause: (O) -> Where<O>) -> SectionMonitorChainBuilder<O> {
        appending(Where(clause))
    }

    /// Adds a condition written with the fields of a superclass of the object.
    @_disfavoredOverload
    public func `where`<T: AnyWhereClause>(_ clause: (O) -> T) -> SectionMonitorChainBuilder<O> {
        appending(clause(MetaObjects.meta(of: O.self)))
    }
}
