public import CofferClauses
import CofferSchema
public import CofferTransactions

extension UnsafeDataTransaction {
    // MARK: Lists

    /// A list of live objects that follows the transaction whenever it is flushed, committed or undone.
    ///
    /// An order must be given.
    public func monitorList<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, nil, fetchClauses)
    }

    /// A list of live objects that follows the transaction whenever it is flushed, committed or undone.
    ///
    /// An order must be given.
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
    /// `refreshAndMergeAllObjects()`. Without an order, an assertion fails. If the list cannot be fetched, it is empty,
    /// and the error is logged.
    public func monitorList<B: FetchChainableBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorList(clauseChain.from, clauseChain.fetchClauses)
    }

    // MARK: Lists in sections

    /// A list of live objects in sections that follows the transaction whenever it is flushed, committed or undone.
    ///
    /// The order must bring the objects of a section together.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// A list of live objects in sections that follows the transaction whenever it is flushed, committed or undone.
    ///
    /// The order must bring the objects of a section together.
    public func monitorSectionedList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListMonitor<O> {
        ListMonitor(ObservedSource(self), from, sectionBy, fetchClauses)
    }

    /// A list of live objects in sections that follows the transaction whenever it is flushed, committed or undone.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(_ clauseChain: B) -> ListMonitor<B.ObjectType> {
        monitorSectionedList(clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)
    }

    // MARK: Later

    /// Makes a list that follows the transaction, and hands it over before this returns: a transaction has no queue.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Makes a list that follows the transaction, and hands it over before this returns: a transaction has no queue.
    public func monitorList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorList(from, fetchClauses)) }
    }

    /// Makes a list that follows the transaction, and hands it over before this returns: a transaction has no queue.
    public func monitorList<B: FetchChainableBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorList(createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.fetchClauses)
    }

    /// Makes a list in sections that follows the transaction, and hands it over before this returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Makes a list in sections that follows the transaction, and hands it over before this returns.
    public func monitorSectionedList<O>(
        createAsynchronously: @escaping (ListMonitor<O>) -> Void, _ from: From<O>,
        _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) {
        ObservedSource(self).later { createAsynchronously(self.monitorSectionedList(from, sectionBy, fetchClauses)) }
    }

    /// Makes a list in sections that follows the transaction, and hands it over before this returns.
    public func monitorSectionedList<B: SectionMonitorBuilderType>(
        createAsynchronously: @escaping (ListMonitor<B.ObjectType>) -> Void, _ clauseChain: B
    ) {
        monitorSectionedList(
            createAsynchronously: createAsynchronously, clauseChain.from, clauseChain.sectionBy,
            clauseChain.fetchClauses
        )
    }
}
