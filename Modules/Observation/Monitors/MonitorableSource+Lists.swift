public import CofferClauses

/// Creates list monitors of a data stack or an unsafe transaction: `monitorList` and `monitorSectionedList`.
extension MonitorableSource {
    // MARK: Lists

    /// Returns a list of live objects that follows the stack's commits.
    ///
    /// ```swift
    /// let people = stack.monitorList(From<Person>(), OrderBy<Person>(.ascending(\.$name)))
    /// people.addObserver(self)
    /// ```
    ///
    /// Call this method on the view queue, and keep the monitor for as long as it is observed. If there is no order, an
    /// assertion fails. If the list cannot be fetched, it is empty, and the error is logged. The list of an unsafe
    /// transaction changes after a flush, a commit or an undo.
    public func monitorList<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, nil, fetchClauses)
    }

    /// Returns a list of live objects that follows the stack's commits, from an array of clauses.
    ///
    /// The list of an unsafe transaction changes after a flush, a commit or an undo.
    public func monitorList<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, nil, fetchClauses)
    }

    /// Returns a list of live objects that follows the stack's commits.
    ///
    /// ```swift
    /// let people = stack.monitorList(From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name)))
    /// people.addObserver(self)
    /// print(people.numberOfObjects())
    /// ```
    ///
    /// Call this method on the view queue, and keep the monitor for as long as it is observed. If there is no order, an
    /// assertion fails. If the list cannot be fetched, it is empty, and the error is logged. If the class has no store
    /// yet, the list is fetched when a store is added.
    ///
    /// The list of an unsafe transaction follows the transaction after a flush, an undo, a redo, a rollback, a commit,
    /// and `refreshAndMergeAllObjects()`.
    public func monitorList<B: FetchChainableBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorList(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Lists in sections

    /// Returns a list of live objects in sections that follows the stack's commits.
    ///
    /// ```swift
    /// let people = stack.monitorSectionedList(
    ///     From<Person>(), SectionBy<Person>(\.$city), OrderBy<Person>(.ascending(\.$city), .ascending(\.$name))
    /// )
    /// ```
    ///
    /// If the order separates objects of one section, the list moves them together. Without an order, an assertion
    /// fails. If the list cannot be fetched, it is empty, and the error is logged. The list of an unsafe transaction
    /// changes after a flush, a commit or an undo.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// Returns a list of live objects in sections that follows the stack's commits, from an array of clauses.
    ///
    /// If the order separates objects of one section, the list moves them together. The list of an unsafe transaction
    /// changes after a flush, a commit or an undo.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// Returns a list of live objects in sections that follows the stack's commits.
    ///
    /// ```swift
    /// let people = stack.monitorSectionedList(
    ///     From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city), .ascending(\.$name))
    /// )
    /// print(people.sections().map(\.name))
    /// ```
    ///
    /// If the order separates objects of one section, the list moves them together. Without an order, an assertion
    /// fails. If the list cannot be fetched, it is empty, and the error is logged. The list of an unsafe transaction
    /// changes after a flush, a commit or an undo.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorSectionedList(clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)
    }

    // MARK: Later

    /// Creates a list later, on the view queue, and passes it to a closure.
    ///
    /// ```swift
    /// stack.monitorList(
    ///     createAsynchronously: { people in show(people) }, From<Person>(), OrderBy<Person>(.ascending(\.$name))
    /// )
    /// ```
    ///
    /// Any thread may call this method of a data stack. If the list cannot be fetched, it is empty, and the error is
    /// logged. An unsafe transaction has no queue: it calls the closure before this method returns.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Creates a list later, on the view queue, from an array of clauses, and passes it to a closure.
    ///
    /// An unsafe transaction calls the closure before this method returns.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Creates a list later, on the view queue, from a chain of clauses, and passes it to a closure.
    ///
    /// An unsafe transaction calls the closure before this method returns.
    public func monitorList<B: FetchChainableBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorList(createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.fetchClauses)
    }

    /// Creates a list in sections later, on the view queue, and passes it to a closure.
    ///
    /// An unsafe transaction calls the closure before this method returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Creates a list in sections later, on the view queue, from an array of clauses, and passes it to a closure.
    ///
    /// An unsafe transaction calls the closure before this method returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Creates a list in sections later, on the view queue, from a chain of clauses, and passes it to a closure.
    ///
    /// An unsafe transaction calls the closure before this method returns.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorSectionedList(
            createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.sectionBy,
            clauseChain.fetchClauses
        )
    }
}
