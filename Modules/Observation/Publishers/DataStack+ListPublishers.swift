public import CofferClauses
public import CofferTransactions

/// Creates list publishers of a data stack: `publishList`.
extension DataStack {
    /// Returns a list that follows the stack's commits, and publishes snapshots.
    ///
    /// ```swift
    /// let people = stack.publishList(From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name)))
    /// people.addObserver(self) { people in
    ///     show(people.snapshot)
    /// }
    /// ```
    ///
    /// Call this method on the view queue, and keep the publisher for as long as it is observed. If there is no order,
    /// an assertion fails.
    ///
    /// If the list cannot be fetched, it is empty, and the error is logged. If no store holds the class yet, the list
    /// is fetched when a store is added, and its observers are then called.
    public func publishList<B: FetchChainableBuilderType>(_ clauseChain: B) -> ListPublisher<B.ObjectType> {
        ListPublisher(self, clauseChain.from, nil, clauseChain.fetchClauses)
    }

    /// Returns a list in sections that follows the stack's commits, and publishes snapshots.
    ///
    /// ```swift
    /// let people = stack.publishList(
    ///     From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
    /// )
    /// print(people.snapshot.sectionIDs)
    /// ```
    ///
    /// If the order separates objects of one section, the list moves them together. Without an order, an assertion
    /// fails. If the list cannot be fetched, it is empty, and the error is logged.
    public func publishList<B: SectionMonitorBuilderType>(_ clauseChain: B) -> ListPublisher<B.ObjectType> {
        ListPublisher(self, clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)
    }

    /// Returns a list that follows the stack's commits, and publishes snapshots.
    ///
    /// ```swift
    /// let people = stack.publishList(From<Person>(), OrderBy<Person>(.ascending(\.$name)))
    /// ```
    ///
    /// Without an order, an assertion fails. If the list cannot be fetched, it is empty, and the error is logged.
    public func publishList<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) -> ListPublisher<O> {
        ListPublisher(self, from, nil, fetchClauses)
    }

    /// Returns a list that follows the stack's commits and publishes snapshots, from an array of clauses.
    public func publishList<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) -> ListPublisher<O> {
        ListPublisher(self, from, nil, fetchClauses)
    }

    /// Returns a list in sections that follows the stack's commits, and publishes snapshots.
    public func publishList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) -> ListPublisher<O> {
        ListPublisher(self, from, sectionBy, fetchClauses)
    }

    /// Returns a list in sections that follows the stack's commits, from an array of clauses.
    public func publishList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListPublisher<O> {
        ListPublisher(self, from, sectionBy, fetchClauses)
    }
}
