public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions

/// A list publisher: publishes a snapshot after each commit, refetches with other clauses, and logs failed fetches.
///
/// ```swift
/// let people = stack.publishList(From<Person>().where { $0.$age >= 18 }.orderBy(.ascending(\.$name)))
/// people.addObserver(self) { people in
///     show(people.snapshot)
/// }
/// ```
///
/// The publisher belongs to the view queue of the stack. The time for a commit depends on the changed rows, and hardly
/// on the length of the list. There are three exceptions, in which the list is fetched again after a commit:
///
/// - The condition, the order or the sections use a relationship.
/// - The list has a limit or an offset.
/// - Several stores hold the class.
///
/// If the list cannot be fetched again, it does not change, and the error is logged.
public final class ListPublisher<O: DynamicObject>: Hashable {
    /// The class of the objects.
    public typealias ObjectType = O
    /// The name of a section.
    public typealias SectionID = ListSnapshot<O>.SectionID
    /// The id of an item.
    public typealias ItemID = ListSnapshot<O>.ItemID

    /// The snapshot of the list after the last commit.
    public private(set) var snapshot: ListSnapshot<O>
    /// Values that the program keeps with the publisher.
    public let userInfo = UserInfo()

    private weak var stack: DataStack?
    /// The clauses to fetch when a storage that holds the class is added.
    private var wanted: (from: From<O>, sectionBy: SectionBy<O>?, clauses: [any FetchClause])?
    /// The content of the list; nil until a fetch succeeds.
    private var content: ListContent?
    private let observers = ObserverList<ClosureObserver<ListPublisher<O>>> { $0.observer }
    /// Called on the view queue if the list could not be fetched again after a commit.
    var onFailure: ((CoreStoreError) -> Void)?

    init(_ stack: DataStack, _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause]) {
        self.stack = stack
        snapshot = ListSnapshot(ListTree(), stack)
        stack.observing(O.self) {
            do throws(CoreStoreError) {
                try fetch(from, sectionBy, clauses)
            } catch {
                Diagnostics.log(
                    error,
                    wanted == nil
                        ? "The list could not be fetched. It is empty until it is fetched again."
                        : "The list could not be fetched. It is empty until a storage for its entity is added.")
            }
            CommitObservers.of(stack).add(self)
        }
    }

    /// Fetches a list on the view queue.
    ///
    /// - Throws: ``CoreStoreError``. If no storage holds the class yet, the list waits for a storage instead.
    init(
        fetchedIn stack: DataStack, _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause]
    ) throws(CoreStoreError) {
        self.stack = stack
        snapshot = ListSnapshot(ListTree(), stack)
        do throws(CoreStoreError) {
            try fetch(from, sectionBy, clauses)
        } catch {
            guard wanted != nil else { throw error }
        }
        CommitObservers.of(stack).add(self)
    }

    /// The data stack; nil if it was deallocated.
    public func cs_dataStack() -> DataStack? { stack }

    /// Returns whether both values are the same publisher.
    public static func == (lhs: ListPublisher, rhs: ListPublisher) -> Bool { lhs === rhs }

    /// Hashes the identity of the publisher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Whether an object is in the list.
    func holds(_ id: ObjectID) -> Bool { content?.entry(of: id) != nil }

    // MARK: Observers

    /// Calls a closure on the view queue after each commit that changes the list or an object of the list.
    ///
    /// ```swift
    /// people.addObserver(self, notifyInitial: true) { people in
    ///     show(people.snapshot)
    /// }
    /// ```
    ///
    /// The calls end when the observer is deallocated or removed. The publisher does not keep the observer alive. It
    /// keeps the closure, so the closure should capture `self` weakly. An observer has one closure: a second call
    /// replaces the first closure.
    ///
    /// On another thread, an assertion fails, and the view queue adds the closure. If the view queue does not answer
    /// within 2 seconds, the closure is not added, and a warning is logged.
    ///
    /// - Parameter notifyInitial: whether the publisher also calls the closure at once.
    public func addObserver<T: AnyObject>(
        _ observer: T, notifyInitial: Bool = false, _ callback: @escaping (ListPublisher<O>) -> Void
    ) {
        addObserver(observer, notifyInitial: notifyInitial) { publisher, _ in callback(publisher) }
    }

    /// Calls a closure with the source of each commit that changes the list or an object of the list.
    ///
    /// The method has the same rules as the form without a source.
    ///
    /// - Parameters:
    ///   - notifyInitial: whether the publisher also calls the closure at once.
    ///   - initialSourceIdentifier: the source of this first call.
    public func addObserver<T: AnyObject>(
        _ observer: T, notifyInitial: Bool = false, initialSourceIdentifier: Any? = nil,
        _ callback: @escaping (_ listPublisher: ListPublisher<O>, _ sourceIdentifier: Any?) -> Void
    ) {
        observing {
            observers.add(ClosureObserver(observer: observer, callback: callback))
            if notifyInitial { callback(self, initialSourceIdentifier) }
        }
    }

    /// Removes an observer and its closure, on any thread.
    ///
    /// Later notifications do not call the closure. A call that already runs on another thread continues to its end. If
    /// the observer was not added, the call does nothing.
    public func removeObserver<T: AnyObject>(_ observer: T) { observers.remove(observer) }

    /// Runs the closure on the view queue; without a stack, the closure runs here.
    private func observing(_ body: () -> Void) {
        guard let stack else { return body() }
        stack.observing(O.self, body)
    }

    // MARK: Refetching

    /// Fetches another list without sections, and calls the observers before it returns.
    ///
    /// ```swift
    /// try people.refetch(From<Person>().where { $0.$age < 18 }.orderBy(.ascending(\.$name)))
    /// ```
    ///
    /// - Parameter sourceIdentifier: passed to the observers.
    /// - Throws: ``CoreStoreError``. The list then does not change, and the observers are not called.
    public func refetch<B: FetchChainableBuilderType>(
        _ clauseChain: B, sourceIdentifier: Any? = nil
    ) throws where B.ObjectType == O {
        try refetch(clauseChain.from, nil, clauseChain.fetchClauses, sourceIdentifier)
    }

    /// Fetches another list in sections, and calls the observers before it returns.
    ///
    /// ```swift
    /// try people.refetch(From<Person>().sectionBy(\.$city).orderBy(.ascending(\.$city)))
    /// ```
    ///
    /// - Parameter sourceIdentifier: passed to the observers.
    /// - Throws: ``CoreStoreError``. The list then does not change, and the observers are not called.
    public func refetch<B: SectionMonitorBuilderType>(
        _ clauseChain: B, sourceIdentifier: Any? = nil
    ) throws where B.ObjectType == O {
        try refetch(clauseChain.from, clauseChain.sectionBy, clauseChain.fetchClauses, sourceIdentifier)
    }

    private func refetch(
        _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause], _ source: Any?
    ) throws(CoreStoreError) {
        var result = Result<Void, CoreStoreError>.failure(
            CoreStoreError(
                storage: StorageError(
                    .unsupported,
                    "A list of '\(O.self)' was fetched again outside the view queue, which did not answer in time.")))
        observing {
            result = Result { () throws(CoreStoreError) in try fetch(from, sectionBy, clauses) }
            if case .success = result { observers.forEach { $0.callback(self, source) } }
        }
        try result.get()
    }

    private func fetch(
        _ from: From<O>, _ sectionBy: SectionBy<O>?, _ clauses: [any FetchClause]
    ) throws(CoreStoreError) {
        guard let stack else { return }
        let graph = stack._graph
        let request: ListRequest
        do throws(CoreStoreError) {
            request = try ListRequest(graph, from, sectionBy, clauses)
        } catch {
            if case .persistentStoreNotFound = error, content == nil { wanted = (from, sectionBy, clauses) }
            throw error
        }
        let content = content ?? ListContent(request, stack)
        try content.fetch(request)
        self.content = content
        wanted = nil
        snapshot = ListSnapshot(content.tree, stack)
    }
}

extension ListPublisher: CommitObserver {
    func prepare(_ commit: CommitDigest) -> Bool { content?.prepare(commit) { onFailure?($0) } ?? false }

    func accept(_ commit: CommitDigest) {
        guard let content, let update = content.acceptNext() else { return }
        snapshot = ListSnapshot(content.tree, stack, updated: update.ids)
    }

    func deliver(_ commit: CommitDigest) { observers.forEach { $0.callback(self, commit.source) } }

    /// Fetches a list that waits for a storage; a fetched list does not change.
    func storagesDidChange() {
        guard let wanted else { return }
        do throws(CoreStoreError) {
            try fetch(wanted.from, wanted.sectionBy, wanted.clauses)
        } catch .persistentStoreNotFound {
            return
        } catch {
            self.wanted = nil
            Diagnostics.log(error, "The list could not be fetched. It is empty until it is fetched again.")
            onFailure?(error)
            return
        }
        observers.forEach { $0.callback(self, nil) }
    }
}

extension ListPublisher: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The snapshot, on the view queue.
    public var coreStoreDumpString: String {
        guard let stack else { return DumpTree.text([("hasDataStack", false)]) }
        guard stack.isOnViewQueue else { return DumpTree.text([("isOnViewQueue", false)]) }
        return DumpTree.text([("isFetched", content != nil), ("snapshot", snapshot)])
    }
}
