public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Returns asynchronous sequences: `async.snapshots` and `async.values` of a list, and `async.commits()`.
extension DataStack.AsyncNamespace {
    /// Returns the present snapshot of a list, and a new one after each commit that changes the list or its objects.
    ///
    /// ```swift
    /// for try await snapshot in stack.async.snapshots(of: From<Person>().orderBy(.ascending(\.$name))) {
    ///     print(snapshot.itemIDs)
    /// }
    /// ```
    ///
    /// Any task may call this method. The view queue creates the list when the loop begins. The clauses are applied
    /// once, when the method is called. If no store holds the class yet, the list is empty until a store is added.
    ///
    /// The loop ends when the data stack is deallocated or its storages are removed. The loop throws ``CoreStoreError``
    /// if the list cannot be fetched, or cannot be fetched again after a commit.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots<B: FetchChainableBuilderType>(
        of clauseChain: B, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<B.ObjectType>, CoreStoreError> {
        snapshots(clauseChain.from, nil, applied(clauseChain.from, clauseChain.fetchClauses), emitInitialValue)
    }

    /// Returns the present snapshot of a list in sections, and a new one after each commit that changes the list.
    ///
    /// A commit that changes an object of the list also causes a new snapshot.
    ///
    /// The clauses are applied once, when the method is called. The closure of the sections is called on the view
    /// queue. The loop throws ``CoreStoreError`` if the list cannot be fetched, or cannot be fetched again after a
    /// commit.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots<B: SectionMonitorBuilderType>(
        of clauseChain: sending B, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<B.ObjectType>, CoreStoreError> {
        snapshots(
            clauseChain.from, UnsafeTransfer(clauseChain.sectionBy),
            applied(clauseChain.from, clauseChain.fetchClauses),
            emitInitialValue)
    }

    private func snapshots<O>(
        _ from: From<O>, _ sectionBy: UnsafeTransfer<SectionBy<O>>?, _ clauses: AppliedClauses, _ emitInitialValue: Bool
    ) -> ObservedSequence<ListSnapshot<O>, CoreStoreError> {
        ObservedSequence { [weak base] in
            Subscription(base, readsFirst: emitInitialValue) { subscription, stack in
                do throws(CoreStoreError) {
                    let publisher = try ListPublisher(fetchedIn: stack, from, sectionBy?.value, [clauses])
                    publisher.onFailure = { [weak subscription] in subscription?.finish(throwing: $0) }
                    return publisher.source(for: subscription)
                } catch {
                    subscription.finish(throwing: error)
                    return nil
                }
            }
        }
    }

    private func applied<O>(_ from: From<O>, _ clauses: [any FetchClause]) -> AppliedClauses {
        let binding = base.binding
        let name = binding.entity(of: from.entityClass).map { binding.layout.entities[$0].name }
        return AppliedClauses(clauses, entityName: name ?? "\(from.entityClass)")
    }

    /// Refuses a list without an order, at compile time.
    @available(*, unavailable, message: "A list needs an order. Write 'From<…>().orderBy(.ascending(\\.$name))'.")
    public func snapshots<O: DynamicObject>(
        of from: From<O>, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<O>, CoreStoreError> {
        snapshots(from, nil, applied(from, []), emitInitialValue)
    }

    /// Refuses a list without an order, at compile time.
    @available(*, unavailable, message: "A list needs an order. Write 'From<…>().orderBy(.ascending(\\.$name))'.")
    public func values<O: DynamicObject, Value: Sendable>(
        of from: From<O>, _ transform: @escaping @Sendable (O) throws -> Value
    ) -> ListValues<O, Value> {
        values(from, applied(from, []), transform)
    }

    /// Returns the values that a closure reads from the objects of a list, as an asynchronous sequence.
    ///
    /// The sequence begins with the present values. It has new values after each commit that changes the list or an
    /// object of the list:
    ///
    /// ```swift
    /// let people = From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name))
    /// for try await names in stack.async.values(of: people, { $0.name }) {
    ///     print(names)
    /// }
    /// ```
    ///
    /// The clauses are applied once, when the method is called. Each array is read from one snapshot of the stores, at
    /// the same time as transactions, and not on the view queue. The array shows the commit that caused the read, and
    /// may show later commits. If one commit closely follows another, two consecutive arrays may be equal.
    ///
    /// The loop ends when the data stack is deallocated or its storages are removed. The loop throws ``CoreStoreError``
    /// if the list cannot be read. If the closure throws an error, the loop throws this error.
    ///
    /// - Parameter transform: called in a read transaction with each object, in the order of the list. It may read
    ///   relationships. A commit that changes only a related object causes no new array.
    public func values<B: FetchChainableBuilderType, Value: Sendable>(
        of clauseChain: B, _ transform: @escaping @Sendable (B.ObjectType) throws -> Value
    ) -> ListValues<B.ObjectType, Value> {
        values(clauseChain.from, applied(clauseChain.from, clauseChain.fetchClauses), transform)
    }

    private func values<O, Value: Sendable>(
        _ from: From<O>, _ clauses: AppliedClauses, _ transform: @escaping @Sendable (O) throws -> Value
    ) -> ListValues<O, Value> {
        ListValues(
            changes: snapshots(from, nil, clauses, true),
            read: { [weak base] in
                try await base?.async.read { transaction in
                    try transaction.fetchAll(from, clauses).map(transform)
                }
            },
            removalCount: { [weak base] in base?.removalCount })
    }

    /// Returns the changes of objects by the stack's commits, beginning with the next commit.
    ///
    /// ```swift
    /// for await changes in stack.async.commits() {
    ///     for id in changes.deletedIDs { print("\(id) was deleted") }
    /// }
    /// ```
    ///
    /// The loop gets a value after a commit, on the loop's own actor. At this moment, the view shows this commit or a
    /// later one. The values do not include commits of other stacks and processes. The loop ends when the data stack is
    /// deallocated or its storages are removed.
    public func commits() -> ObservedSequence<CommittedChanges, Never> {
        ObservedSequence { [weak base] in
            Subscription(base, readsFirst: false) { subscription, stack in
                let collector = CommitCollector { [weak subscription] in subscription?.change() }
                CommitObservers.of(stack).add(collector)
                return .init(read: { .value(collector.take()) }, stop: {})
            }
        }
    }

    /// The number of loops that observe sequences of the stack at present, for metrics and tests.
    ///
    /// If a loop begins on another queue than the view queue, it counts as soon as the view queue has added its
    /// observer. From then on, the loop observes every commit.
    public var subscriptionCount: Int { CommitObservers.of(base).subscriptions.count }
}
