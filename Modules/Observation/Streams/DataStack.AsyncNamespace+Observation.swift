public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Lists and commits that tasks follow.
extension DataStack.AsyncNamespace {
    /// Returns the snapshots of a list: the present one, and one after each commit that changes the list or its
    /// objects.
    ///
    /// ```swift
    /// for try await snapshot in stack.async.snapshots(of: From<Person>().orderBy(.ascending(\.$name))) {
    ///     print(snapshot.itemIDs)
    /// }
    /// ```
    ///
    /// Any task may call it: the view queue creates the list when the loop begins. The clauses are applied once, at the
    /// call. If no store holds the class yet, the list is empty until a store is added.
    ///
    /// The loop ends with the data stack and with its storages. It throws ``CoreStoreError`` if the list cannot be
    /// fetched, or cannot be fetched again after a commit.
    ///
    /// - Parameter emitInitialValue: false to begin with the first change.
    public func snapshots<B: FetchChainableBuilderType>(
        of clauseChain: B, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<B.ObjectType>, CoreStoreError> {
        snapshots(clauseChain.from, nil, applied(clauseChain), emitInitialValue)
    }

    /// The snapshots of a list in sections: the present one, and one after each commit that changes the list or an object
    /// in it.
    ///
    /// The clauses are applied when this is called. The closure of the sections is called on the view queue. The loop throws
    /// ``CoreStoreError`` if the list cannot be fetched, or cannot be fetched again after a commit.
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

    private func applied<B: FetchChainableBuilderType>(_ clauseChain: B) -> AppliedClauses {
        applied(clauseChain.from, clauseChain.fetchClauses)
    }

    private func applied<O>(_ from: From<O>, _ clauses: [any FetchClause]) -> AppliedClauses {
        let binding = base.binding
        let name = binding.entity(of: from.entityClass).map { binding.layout.entities[$0].name }
        return AppliedClauses(clauses, entityName: name ?? "\(from.entityClass)")
    }

    /// Refuses a list without an order.
    @available(*, unavailable, message: "A list needs an order. Write 'From<…>().orderBy(.ascending(\\.$name))'.")
    public func snapshots<O: DynamicObject>(
        of from: From<O>, emitInitialValue: Bool = true
    ) -> ObservedSequence<ListSnapshot<O>, CoreStoreError> {
        snapshots(from, nil, applied(from, []), emitInitialValue)
    }

    /// Refuses a list without an order.
    @available(*, unavailable, message: "A list needs an order. Write 'From<…>().orderBy(.ascending(\\.$name))'.")
    public func values<O: DynamicObject, Value: Sendable>(
        of from: From<O>, _ transform: @escaping @Sendable (O) throws -> Value
    ) -> ListValues<O, Value> {
        values(from, applied(from, []), transform)
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
    /// The clauses are applied when this is called, and never again. Each array is read from one snapshot of the stores,
    /// beside whatever transactions run, and not on the view queue. The array shows at least the commit that it is read for.
    /// Equal arrays may follow each other if commits come close together.
    ///
    /// The loop ends with the data stack and with its storages. It throws ``CoreStoreError`` if the list cannot be read, or
    /// if the closure throws.
    ///
    /// - Parameter transform: called in a read transaction with each object, in the order of the list; may look at
    ///   relationships. A commit that changes only a related object brings no new array.
    public func values<B: FetchChainableBuilderType, Value: Sendable>(
        of clauseChain: B, _ transform: @escaping @Sendable (B.ObjectType) throws -> Value
    ) -> ListValues<B.ObjectType, Value> {
        values(clauseChain.from, applied(clauseChain), transform)
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

    /// How many loops over observed sequences of the stack observe now, for metrics and tests.
    ///
    /// A loop that begins off the view queue counts after the view queue has added its observer. It observes every later
    /// commit.
    public var subscriptionCount: Int { CommitObservers.of(base).subscriptions.count }
}
