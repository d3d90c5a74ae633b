public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Lists and commits that tasks follow.
extension DataStack.AsyncNamespace {
    /// The snapshots of a list: the present one, and one after each commit that changes the list or an object in it.
    ///
    /// ```swift
    /// for try await snapshot in stack.async.snapshots(of: From<Person>().orderBy(.ascending(\.$name))) {
    ///     print(snapshot.itemIDs)
    /// }
    /// ```
    ///
    /// The view queue makes the list when the loop begins, so any task may call this. The loop ends with the data stack and
    /// with its storages. Where no storage holds the class yet, the list is empty until one is added.
    ///
    /// The loop throws ``CoreStoreError`` if the list cannot be fetched, or cannot be fetched again after a commit.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots<B: FetchChainableBuilderType>(
        of clauseChain: sending B, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<B.ObjectType>, CoreStoreError> {
        snapshots(Handover((clauseChain.from, nil, clauseChain.fetchClauses)), emitInitialValue)
    }

    /// The snapshots of a list in sections: the present one, and one after each commit that changes the list or an object
    /// in it.
    ///
    /// The loop throws ``CoreStoreError`` if the list cannot be fetched, or cannot be fetched again after a commit.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots<B: SectionMonitorBuilderType>(
        of clauseChain: sending B, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<B.ObjectType>, CoreStoreError> {
        snapshots(
            Handover((clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses)), emitInitialValue)
    }

    private typealias ListClauses<O: DynamicObject> = (
        from: From<O>, sectionBy: SectionBy<O>?, others: [any FetchClause]
    )

    private func snapshots<O>(
        _ clauses: Handover<ListClauses<O>>, _ emitInitialValue: Bool
    ) -> ObservedSequence<ListSnapshot<O>, CoreStoreError> {
        ObservedSequence { [weak base] in
            Subscription(base, readsFirst: emitInitialValue) { subscription, stack in
                let clauses = clauses.value
                do throws(CoreStoreError) {
                    let publisher = try ListPublisher(
                        fetchedIn: stack, clauses.from, clauses.sectionBy, clauses.others)
                    publisher.onFailure = { [weak subscription] in subscription?.finish(throwing: $0) }
                    return publisher.source(for: subscription)
                } catch {
                    subscription.finish(throwing: error)
                    return nil
                }
            }
        }
    }

    /// The values that a closure makes of the objects of a list: the present values, and new ones after each commit that
    /// changes the list or an object in it.
    ///
    /// ```swift
    /// let people = From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name))
    /// for try await names in stack.async.values(of: people, { $0.name }) {
    ///     print(names)
    /// }
    /// ```
    ///
    /// Each array is read from one snapshot of the stores, beside whatever transactions run, and not on the view queue. The
    /// array shows at least the commit that it is read for. Equal arrays may follow each other if commits come close together.
    ///
    /// The loop ends with the data stack and with its storages. It throws ``CoreStoreError`` if the list cannot be read, or
    /// if the closure throws.
    ///
    /// - Parameter transform: called in a read transaction with each object, in the order of the list; may look at
    ///   relationships. A commit that changes only a related object brings no new array.
    public func values<B: FetchChainableBuilderType, Value: Sendable>(
        of clauseChain: sending B, _ transform: @escaping @Sendable (B.ObjectType) throws -> Value
    ) -> ListValues<B.ObjectType, Value> {
        let clauses = Handover((clauseChain.from, clauseChain.fetchClauses))
        return ListValues(
            changes: snapshots(Handover((clauses.value.0, nil, clauses.value.1)), true),
            read: { [weak base] in
                try await base?.async.read { transaction in
                    try transaction.fetchAll(clauses.value.0, clauses.value.1).map(transform)
                }
            })
    }

    /// The changes that the stack's commits make to objects, from now on.
    ///
    /// ```swift
    /// for await changes in stack.async.commits() {
    ///     for id in changes.deletedIDs { print("\(id) was deleted") }
    /// }
    /// ```
    ///
    /// The reader gets a value after a commit, on its own actor, while the view shows that commit or a later one. Commits of
    /// other stacks and processes are not among them. The loop ends with the data stack and with its storages.
    public func commits() -> ObservedSequence<CommittedChanges, Never> {
        ObservedSequence { [weak base] in
            Subscription(base, readsFirst: false) { subscription, stack in
                let collector = CommitCollector { [weak subscription] in subscription?.change() }
                CommitObservers.of(stack).add(collector)
                return .init(read: { .value(collector.take()) }, stop: {})
            }
        }
    }

    /// How many loops over observed sequences of the stack have not ended, for metrics and tests.
    public var subscriptionCount: Int { CommitObservers.of(base).subscriptions.count }
}
