public import CofferSchema

/// A list in sections as a chain of clauses: the class, the sections, and then the clauses from left to right.
///
/// ```swift
/// let people = stack.publishList(
///     From<Person>().sectionBy(\.$city).where { $0.$age >= 18 }.orderBy(.ascending(\.$city), .ascending(\.$name))
/// )
/// ```
///
/// A chain is a value, and each method returns a new chain. Names and types are checked when a list is created with the
/// chain; the list is then empty, and the error is logged.
public struct SectionMonitorChainBuilder<O: DynamicObject>: SectionMonitorBuilderType {
    /// The class of the objects.
    public typealias ObjectType = O

    /// The class of the objects, and the stores to search.
    public var from: From<O>
    /// The clause that divides the list into sections.
    public var sectionBy: SectionBy<O>
    /// The clauses, in the order they are applied.
    public var fetchClauses: [any FetchClause]
}

extension SectionMonitorChainBuilder: ClauseChain {
    /// The chain with one more clause.
    public func _appending<C: QueryClause>(_ clause: C) -> SectionMonitorChainBuilder<O> { appending(clause) }

    /// Adds a clause.
    public func appending(_ clause: any FetchClause) -> SectionMonitorChainBuilder<O> {
        SectionMonitorChainBuilder(from: from, sectionBy: sectionBy, fetchClauses: fetchClauses + [clause])
    }

    /// Adds clauses, in their order.
    public func appending<S: Sequence>(contentsOf clauses: S) -> SectionMonitorChainBuilder<O>
    where S.Element == any FetchClause {
        SectionMonitorChainBuilder(from: from, sectionBy: sectionBy, fetchClauses: fetchClauses + clauses)
    }
}
