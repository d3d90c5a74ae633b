public import CofferClauses
import CofferSchema
public import CofferTransactions

/// Creates list monitors of an unsafe transaction: `monitorList` and `monitorSectionedList`.
extension UnsafeDataTransaction {
    // MARK: Lists

    /// Returns a list of live objects of the transaction, which changes after a flush, a commit or an undo.
    ///
    /// The list needs an order.
    public func monitorList<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, nil, fetchClauses)
    }

    /// Returns a list of live objects of the transaction, from an array of clauses.
    ///
    /// The list changes after a flush, a commit or an undo. It needs an order.
    public func monitorList<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, nil, fetchClauses)
    }

    /// Returns a list of live objects of the transaction.
    ///
    /// ```swift
    /// let people = draft.monitorList(From<Person>().orderBy(.ascending(\.$name)))
    /// people.addObserver(self)
    /// ```
    ///
    /// The list follows the transaction after a flush, an undo, a redo, a rollback, a commit, and
    /// `refreshAndMergeAllObjects()`. If there is no order, an assertion fails. If the list cannot be fetched, it is
    /// empty, and the error is logged.
    public func monitorList<B: FetchChainableBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorList(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Lists in sections

    /// Returns a list of live objects in sections, which changes after a flush, a commit or an undo.
    ///
    /// The list needs an order. If the order separates objects of one section, the list moves them together.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// Returns a list of live objects in sections, from an array of clauses.
    ///
    /// The list changes after a flush, a commit or an undo. It needs an order.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// Returns a list of live objects in sections, which changes after a flush, a commit or an undo.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorSectionedList(clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)
    }

    // MARK: Later

    /// Creates a list of the transaction, and passes it to the closure before the call returns.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Creates a list of the transaction from an array of clauses, and passes it to the closure before it returns.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Creates a list of the transaction from a chain of clauses, and passes it to the closure before the call returns.
    public func monitorList<B: FetchChainableBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorList(createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.fetchClauses)
    }

    /// Creates a list in sections, and passes it to the closure before the call returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Creates a list in sections from an array of clauses, and passes it to the closure before the call returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Creates a list in sections from a chain of clauses, and passes it to the closure before the call returns.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorSectionedList(
            createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.sectionBy,
            clauseChain.fetchClauses
        )
    }
}
