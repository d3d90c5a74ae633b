public import CofferClauses
import CofferSchema
public import CofferTransactions

extension DataStack {
    /// A list that follows the stack's commits.
    ///
    /// It is fetched when this returns, and empty, with an error in the log, when it cannot be. Where no storage holds the
    /// class yet, it is fetched, and its observers are told, in a turn of the view queue after one was added. An order
    /// must be given.
    public func publishList<B: FetchChainableBuilderType>(_ clauseChain: B) -> ListPublisher<B.ObjectType> {
        ListPublisher(self, clauseChain.from, nil, clauseChain.fetchClauses)
    }

    /// A list in sections that follows the stack's commits.
    ///
    /// The order must bring the objects of a section together.
    public func publishList<B: SectionMonitorBuilderType>(_ clauseChain: B) -> ListPublisher<B.ObjectType> {
        ListPublisher(self, clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)
    }

    /// A list that follows the stack's commits.
    public func publishList<O>(_ from: From<O>, _ fetchClauses: any FetchClause...) -> ListPublisher<O> {
        ListPublisher(self, from, nil, fetchClauses)
    }

    /// A list that follows the stack's commits.
    public func publishList<O>(_ from: From<O>, _ fetchClauses: [any FetchClause]) -> ListPublisher<O> {
        ListPublisher(self, from, nil, fetchClauses)
    }

    /// A list in sections that follows the stack's commits.
    public func publishList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: any FetchClause...
    ) -> ListPublisher<O> {
        ListPublisher(self, from, sectionBy, fetchClauses)
    }

    /// A list in sections that follows the stack's commits.
    public func publishList<O>(
        _ from: From<O>, _ sectionBy: SectionBy<O>, _ fetchClauses: [any FetchClause]
    ) -> ListPublisher<O> {
        ListPublisher(self, from, sectionBy, fetchClauses)
    }
}
