public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions

/// An object of a data stack, whose snapshots a program shows and observes.
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
/// observer. While a publisher of an object exists, the stack returns the same publisher for the object. It belongs to
/// the view queue of the stack.
///
/// After the object was deleted, its values are nil. If the object cannot be read, its values are nil, the error is
/// logged, and the next call reads again.
@dynamicMemberLookup
public final class ObjectPublisher<O: DynamicObject>: ObjectRepresentation, Hashable {
    /// The class of the object.
    public typealias ObjectType = O

    /// The id that the publisher was created with, by which publishers are compared.
    private let firstID: ObjectID
    private let currentID: Locked<ObjectID>
    private weak var stack: DataStack?
    private let observers = ClosureObservers<ObjectPublisher<O>>()
    private var isFollowing = false
    private var isDeleted = false
    /// The last snapshot, nil where there was no object; nil when none was taken since the last change.
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
    /// Read it on the view queue. On another thread, an assertion fails, and the view queue answers. If the view queue
    /// does not answer within 2 seconds, the value is nil, and the error is logged. In a transaction off the view
    /// queue, the value is nil at once, and the commit throws `unsupported`.
    public var snapshot: ObjectSnapshot<O>? {
        onViewQueue {
            follow()
            if let taken { return taken }
            let made = isDeleted ? nil : stack.flatMap { ObjectSnapshot(existing(in: $0), $0._graph, $0) }
            // A snapshot that could not be read is read again when it is asked for again.
            if made != nil || isGone { taken = .some(made) }
            return made
        }
    }

    /// Whether the object was deleted, or did not exist when it was looked for; false if it could not be read.
    private(set) var isGone = false

    /// The live object; nil after it was deleted.
    ///
    /// ```swift
    /// transaction.edit(publisher.object)?.name = "Anna"
    /// ```
    ///
    /// Any thread may get an object that was found before, for example to edit it in a transaction. Otherwise the rules
    /// are those of ``snapshot``. If the object did not exist when the program first asked for it, the value stays nil.
    public var object: O? {
        let known = found.withLock { $0 }
        let object = known ?? onViewQueue { isDeleted ? nil : sought() }
        // A publisher that does not follow the object is not told of its deletion. The live object is.
        return (object as? CoreStoreObject)?.isDeleted == true ? nil : object
    }

    private func sought() -> O? {
        let object = stack.flatMap { existing(in: $0) }
        if object != nil || isGone { found.withLock { $0 = .some(object) } }
        return object
    }

    /// The live object; nil until it was looked for.
    private let found = Locked<O??>(nil)

    /// Asks on the view queue; without a stack there is none.
    private func onViewQueue<Result>(_ body: () -> Result?) -> Result? {
        guard let stack else { return body() }
        return stack._graph.calls.lookingUp(O.self, Self.mistake, body) ?? nil
    }

    private static var mistake: String {
        "The publisher of '\(O.self)' was read outside the view queue. Read 'snapshot' and 'object' there; in a transaction, "
            + "edit or fetch the object by the publisher."
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
    /// The calls end when the observer is deallocated or removed. The publisher does not keep the observer alive, but
    /// it keeps the closure: capture `self` weakly. An observer has one closure; a second call replaces the first
    /// closure.
    ///
    /// Off the view queue, an assertion fails, and the view queue adds the closure. If it does not answer within 2
    /// seconds, the closure is not added, and a warning is logged.
    ///
    /// - Parameter notifyInitial: whether the closure is also called at once.
    public func addObserver<T: AnyObject>(
        _ observer: T, notifyInitial: Bool = false, _ callback: @escaping (ObjectPublisher<O>) -> Void
    ) {
        addObserver(observer, notifyInitial: notifyInitial) { publisher, _ in callback(publisher) }
    }

    /// Calls the closure on the view queue after each commit that changes or deletes the object, with what the
    /// transaction's caller named as the source, as long as the observer exists.
    ///
    /// An observer has one closure: adding it again replaces the former one.
    ///
    /// - Parameters:
    ///   - notifyInitial: whether to call the closure at once, too.
    ///   - initialSourceIdentifier: the source it is then given.
    public func addObserver<T: AnyObject>(
        _ observer: T, notifyInitial: Bool = false, initialSourceIdentifier: Any? = nil,
        _ callback: @escaping (_ objectPublisher: ObjectPublisher<O>, _ sourceIdentifier: Any?) -> Void
    ) {
        observing {
            follow()
            observers.add(observer, callback)
            if notifyInitial { callback(self, initialSourceIdentifier) }
        }
    }

    /// Removes an observer and its closure, on any thread.
    ///
    /// No later notification calls the closure. A call that runs on another thread may still end. An observer that was
    /// not added is ignored.
    public func removeObserver<T: AnyObject>(_ observer: T) { observers.remove(observer) }

    /// Runs the closure on the view queue; without a stack there is none.
    private func observing(_ body: () -> Void) {
        guard let stack else { return body() }
        _ = stack.observing(O.self, body)
    }

    /// The id of the object; that of the stored one once a new object was merged into it when it was saved.
    public func objectID() -> ObjectID { id }

    /// The data stack; nil when that is gone.
    public func cs_dataStack() -> DataStack? { stack }

    /// Whether both were created for the same object and data stack.
    ///
    /// A publisher stays equal to itself, and keeps its hash, if the object is merged into another one when it is saved.
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

    func deliver(_ commit: CommitDigest) { observers.call(self, commit.source) }
}

extension ObjectPublisher: SnapshotKeeper {
    func forgetSnapshot() { taken = nil }
}

extension ObjectPublisher: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The id of the object and, on the view queue, the last snapshot; none is taken.
    public var coreStoreDumpString: String {
        var fields: [(name: String, value: Any)] = [("objectID", id), ("hasDataStack", stack != nil)]
        if stack?.isOnViewQueue == true {
            fields += [("isDeleted", isDeleted), ("snapshot", (taken ?? nil) as Any)]
        }
        return DumpTree.text(fields)
    }
}
