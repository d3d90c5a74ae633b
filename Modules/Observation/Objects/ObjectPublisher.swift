public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions

/// An object publisher: provides snapshots and the live object, notifies closures, and reports reads on other queues.
///
/// ```swift
/// let publisher = stack.publishObject(person)
/// publisher.addObserver(self) { publisher in
///     print(publisher.snapshot?.$name ?? "(deleted)")
/// }
/// print(publisher.$age ?? 0)
/// ```
///
/// A publisher needs little memory: it reads the object when the program first asks for ``snapshot`` or adds an
/// observer. While a publisher of an object exists, the stack returns the same publisher for this object. The publisher
/// belongs to the view queue of the stack.
///
/// After the object was deleted, its values are nil. If the object cannot be read, its values are nil, the error is
/// logged, and the next call reads again.
@dynamicMemberLookup
public final class ObjectPublisher<O: DynamicObject>: ObjectRepresentation, Hashable {
    /// The class of the object.
    public typealias ObjectType = O

    /// The id at the creation of the publisher; it decides whether publishers are equal.
    private let firstID: ObjectID
    private let currentID: Locked<ObjectID>
    private weak var stack: DataStack?
    private let observers = ObserverList<ClosureObserver<ObjectPublisher<O>>> { $0.observer }
    private var isFollowing = false
    private var isDeleted = false
    /// The last snapshot; nil if none was taken since the last change.
    ///
    /// The inner optional is nil if there was no object.
    private var taken: ObjectSnapshot<O>??

    private init(_ id: ObjectID, _ stack: DataStack?) {
        firstID = id
        currentID = Locked(id)
        self.stack = stack
    }

    /// The id of the object now, on any thread.
    private var id: ObjectID { currentID.withLock { $0 } }

    /// The publisher of an object.
    static func of(_ id: ObjectID, in stack: DataStack?) -> ObjectPublisher<O> {
        guard let stack else { return ObjectPublisher(id, nil) }
        let id = stack.survivor(of: id)
        return CommitObservers.of(stack).publishers.publisher(id) { ObjectPublisher(id, stack) }
    }

    /// The values of the object; nil after it was deleted.
    ///
    /// ```swift
    /// print(publisher.snapshot?.$name ?? "(deleted)")
    /// ```
    ///
    /// The publisher keeps the snapshot until the next commit that changes the object.
    ///
    /// Read the snapshot on the view queue. On another thread, an assertion fails, and the view queue reads the
    /// snapshot for the caller. If the view queue does not answer within 2 seconds, the value is nil, and the error is
    /// logged. In a transaction that does not run on the view queue, the value is nil at once, and the commit throws
    /// `unsupported`.
    public var snapshot: ObjectSnapshot<O>? {
        onViewQueue {
            follow()
            if let taken { return taken }
            let made = isDeleted ? nil : stack.flatMap { ObjectSnapshot(existing(in: $0), $0._graph, $0) }
            // If the read failed, the next call reads again.
            if made != nil || isGone { taken = .some(made) }
            return made
        }
    }

    /// Whether the object was deleted or did not exist when it was read; false if the read failed.
    private(set) var isGone = false

    /// The live object; nil after it was deleted.
    ///
    /// ```swift
    /// transaction.edit(publisher.object)?.name = "Anna"
    /// ```
    ///
    /// If the publisher has found the object before, any thread may get it, for example to edit the object in a
    /// transaction. Otherwise, the rules of ``snapshot`` apply. If the object did not exist when the program first
    /// asked for it, the value stays nil.
    public var object: O? {
        let known = found.withLock { $0 }
        let object = known ?? onViewQueue { isDeleted ? nil : sought() }
        // A publisher that does not follow the object is not notified of its deletion. The live object knows its
        // deletion.
        return (object as? CoreStoreObject)?.isDeleted == true ? nil : object
    }

    private func sought() -> O? {
        let object = stack.flatMap { existing(in: $0) }
        if object != nil || isGone { found.withLock { $0 = .some(object) } }
        return object
    }

    /// The result of the lookup of the live object; nil before the lookup.
    private let found = Locked<O??>(nil)

    /// Runs the closure on the view queue; without a stack, the closure runs here.
    private func onViewQueue<Result>(_ body: () -> Result?) -> Result? {
        guard let stack else { return body() }
        return stack._graph.calls.lookingUp(O.self, Self.mistake, body) ?? nil
    }

    private static var mistake: String {
        "The publisher of '\(O.self)' was read outside the view queue. Read 'snapshot' and 'object' on that queue. In "
            + "a transaction, edit or fetch the object by the id of the publisher."
    }

    private func existing(in stack: DataStack) -> O? {
        let graph = stack._graph
        return graph.loggingErrors("fetch") { () throws(StorageError) in
            let object = try graph.object(id) as? O
            isGone = object == nil
            return object
        }
    }

    /// Calls a closure on the view queue after each commit that changes or deletes the object.
    ///
    /// ```swift
    /// publisher.addObserver(self, notifyInitial: true) { publisher in
    ///     print(publisher.snapshot?.$name ?? "(deleted)")
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
        _ observer: T, notifyInitial: Bool = false, _ callback: @escaping (ObjectPublisher<O>) -> Void
    ) {
        addObserver(observer, notifyInitial: notifyInitial) { publisher, _ in callback(publisher) }
    }

    /// Calls a closure with the source of each commit that changes or deletes the object.
    ///
    /// The calls end when the observer is deallocated or removed. The source is the `sourceIdentifier` of the
    /// transaction.
    ///
    /// An observer has one closure: a second call replaces the first closure.
    ///
    /// - Parameters:
    ///   - notifyInitial: whether the publisher also calls the closure at once.
    ///   - initialSourceIdentifier: the source of this first call.
    public func addObserver<T: AnyObject>(
        _ observer: T, notifyInitial: Bool = false, initialSourceIdentifier: Any? = nil,
        _ callback: @escaping (_ objectPublisher: ObjectPublisher<O>, _ sourceIdentifier: Any?) -> Void
    ) {
        observing {
            follow()
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

    /// The id of the object; after a new object was merged into a stored object, the id of the stored object.
    public func objectID() -> ObjectID { id }

    /// The data stack; nil if it was deallocated.
    public func cs_dataStack() -> DataStack? { stack }

    /// Returns whether both publishers were created for the same object and data stack.
    ///
    /// If the object is merged into a stored object, the publisher stays equal to itself and keeps its hash value.
    public static func == (lhs: ObjectPublisher, rhs: ObjectPublisher) -> Bool {
        lhs === rhs || lhs.firstID == rhs.firstID && lhs.stack === rhs.stack
    }

    /// Hashes the id of the object that the publisher was created for.
    public func hash(into hasher: inout Hasher) { hasher.combine(firstID) }

    private func follow() {
        guard !isFollowing, let stack else { return }
        isFollowing = true
        let id = stack.survivor(of: id)
        currentID.withLock { $0 = id }
        CommitObservers.of(stack).add(self, of: id)
    }
}

extension ObjectPublisher: CommitObserver {
    func follow(_ id: ObjectID) {
        currentID.withLock { $0 = id }
        taken = nil
        found.withLock { $0 = nil }
        isGone = false
    }

    func prepare(_ commit: CommitDigest) -> Bool { !isDeleted }

    func accept(_ commit: CommitDigest) {
        taken = nil
        if commit.isUnknown {
            guard let stack, existing(in: stack) == nil, isGone else { return }
        } else {
            guard let change = commit.change(of: id), change.new == nil else { return }
        }
        (isDeleted, isGone) = (true, true)
        found.withLock { $0 = .some(nil) }
    }

    func deliver(_ commit: CommitDigest) { observers.forEach { $0.callback(self, commit.source) } }
}

extension ObjectPublisher: SnapshotKeeper {
    func forgetSnapshot() { taken = nil }
}

extension ObjectPublisher: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The id of the object and, on the view queue, the last snapshot; the description takes no new snapshot.
    public var coreStoreDumpString: String {
        var fields: [(name: String, value: Any)] = [("objectID", id), ("hasDataStack", stack != nil)]
        if stack?.isOnViewQueue == true {
            fields += [("isDeleted", isDeleted), ("snapshot", (taken ?? nil) as Any)]
        }
        return DumpTree.text(fields)
    }
}
