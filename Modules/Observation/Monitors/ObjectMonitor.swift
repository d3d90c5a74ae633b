public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import CofferTransactions

/// An object monitor: finds the changed properties of a live object, and reports its updates and its deletion.
///
/// ```swift
/// let monitor = stack.monitorObject(person)
/// monitor.addObserver(self)
/// ```
///
/// The monitor belongs to the view queue of the stack. Keep the monitor for as long as it is observed. After the object
/// was deleted, ``object`` is nil, and observers receive `didDeleteObject`.
public final class ObjectMonitor<O: DynamicObject>: Hashable, ObjectRepresentation {
    /// The class of the object.
    public typealias ObjectType = O

    private struct Weak {
        weak var observer: (any ObjectObserver<O>)?
    }

    /// The live object; nil after the object was deleted.
    ///
    /// If the deletion is undone in an unsafe transaction, the monitor observes the object again. If a new object is
    /// saved, a monitor of a data stack observes the saved object. In both cases, observers receive an update of all
    /// keys.
    public private(set) var object: O?
    /// Whether the object was deleted.
    public var isObjectDeleted: Bool { object == nil }
    /// Values that the program keeps with the monitor.
    public let userInfo = UserInfo()

    private var id: ObjectID
    private let source: ObservedSource
    private let observers = ObserverList<Weak> { $0.observer }
    /// The row of the object after the last commit that observers know.
    private var baseline: Row?
    private var next: Set<KeyPathString> = []
    private var deleted: O?
    private var isDeleted = false
    /// The object that was deleted in the transaction; an undo may restore the object.
    private var former: O?

    init(_ object: O, _ source: ObservedSource) {
        id = object.cs_id()
        self.source = source
        source.observing(O.self) {
            self.object = source.graph.flatMap { graph in
                graph.loggingErrors("fetch") { () throws(StorageError) in try graph.object(id) } as? O
            }
            baseline = currentRow
            source.observers?.add(self, of: id)
        }
    }

    /// Calls an observer when the object changes or is deleted, until the observer is deallocated or removed.
    ///
    /// ```swift
    /// monitor.addObserver(self)
    /// ```
    ///
    /// The monitor does not keep the observer alive. If the observer is added again, the earlier registration is
    /// replaced.
    public func addObserver<U: ObjectObserver>(_ observer: U) where U.ObjectEntityType == O {
        source.observing(O.self) { observers.add(Weak(observer: observer)) }
    }

    /// Removes an observer, on any thread.
    ///
    /// Later notifications do not call the observer. A call that already runs on another thread continues to its end.
    public func removeObserver<U: ObjectObserver>(_ observer: U) where U.ObjectEntityType == O {
        observers.remove(observer)
    }

    /// The id of the object; after a new object was merged into a stored object, the id of the stored object.
    public func objectID() -> ObjectID { id }

    /// The data stack; nil if it was deallocated.
    public func cs_dataStack() -> DataStack? { source.stack }

    /// Returns whether both values are the same monitor.
    public static func == (lhs: ObjectMonitor<O>, rhs: ObjectMonitor<O>) -> Bool { lhs === rhs }

    /// Returns whether both values are the same monitor.
    public static func ~= (lhs: ObjectMonitor<O>, rhs: ObjectMonitor<O>) -> Bool { lhs === rhs }

    /// Hashes the identity of the monitor.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The object's row.
    private var currentRow: Row? { row(of: object) }

    private func row(of object: O?) -> Row? {
        guard let object = (object as? CoreStoreObject)?.canonical, !object.isDeleted else { return nil }
        return object.row
    }
}

extension ObjectMonitor: CommitObserver {
    func follow(_ id: ObjectID) { self.id = id }

    func prepare(_ commit: CommitDigest) -> Bool {
        guard let graph = source.graph else { return false }
        if object == nil {
            if former == nil { former = saved(commit, graph) }
            return prepareReturn(graph)
        }
        guard let known = baseline else { return false }
        let row = commit.isUnknown ? currentRow : commit.change(of: id).map(\.new) ?? known
        next = []
        guard let row else { return true }
        let entity = graph.layout.entities[known.entity]
        for (slot, column) in entity.columns.enumerated() where !known.hasSameValue(slot, column.kind, as: row) {
            if case .position = column.role { continue }
            next.insert(column.name)
        }
        if commit.isUnknown, !graph.isEditable {
            for index in entity.relationships where graph.layout.relationships[index].isToMany {
                next.insert(graph.layout.relationships[index].name)
            }
        }
        for relationship in commit.touched.relationships(of: id, entity) {
            next.insert(graph.layout.relationships[relationship].name)
        }
        return !next.isEmpty
    }

    /// Returns the object if the commit saved it as a new object of a transaction; nil otherwise.
    private func saved(_ commit: CommitDigest, _ graph: ObjectGraph) -> O? {
        let isSaved = commit.isUnknown || commit.change(of: id)?.new != nil || commit.merges.values.contains(id)
        guard !isDeleted, !graph.isEditable, isSaved else { return nil }
        return graph.loggingErrors("fetch") { () throws(StorageError) in try graph.object(id) } as? O
    }

    /// Checks whether a deletion was undone, or whether the object was saved.
    private func prepareReturn(_ graph: ObjectGraph) -> Bool {
        if let deleted = former as? CoreStoreObject, deleted.isDeleted, graph.readsPendingRows {
            // A parent transaction may have deleted and restored the object.
            do throws(StorageError) {
                former = try graph.object(id) as? O ?? former
            } catch {
                Diagnostics.log(
                    CoreStoreError(storage: error), "A monitored object could not be read. It is treated as deleted.")
            }
        }
        guard let row = row(of: former) else { return false }
        let entity = graph.layout.entities[row.entity]
        next = Set(entity.relationships.map { graph.layout.relationships[$0].name })
        for column in entity.columns {
            if case .attribute = column.role { next.insert(column.name) }
        }
        return true
    }

    func announce(_ commit: CommitDigest) {
        guard let object = object ?? former else { return }
        observers.forEach {
            $0.observer?.objectMonitor(self, willUpdateObject: object, sourceIdentifier: commit.source)
        }
    }

    func accept(_ commit: CommitDigest) {
        if object == nil {
            object = former
            former = nil
            // A merged object may have a stored row that the commit has not changed.
            baseline = currentRow
        }
        if commit.isUnknown {
            baseline = currentRow
        } else if let change = commit.change(of: id) {
            baseline = change.new
        }
        guard baseline == nil else { return }
        deleted = object
        isDeleted = true
        if source.graph?.isEditable == true { former = object }
        object = nil
    }

    func deliver(_ commit: CommitDigest) {
        if let object {
            observers.forEach {
                $0.observer?.objectMonitor(
                    self, didUpdateObject: object, changedPersistentKeys: next, sourceIdentifier: commit.source)
            }
        } else if let deleted {
            self.deleted = nil
            observers.forEach {
                $0.observer?.objectMonitor(self, didDeleteObject: deleted, sourceIdentifier: commit.source)
            }
        }
    }
}

/// Returns whether both values are the same monitor; monitors of different classes never are.
public func == <T, U>(lhs: ObjectMonitor<T>, rhs: ObjectMonitor<U>) -> Bool { lhs === rhs }

/// Returns whether both values are the same monitor; monitors of different classes never are.
public func ~= <T, U>(lhs: ObjectMonitor<T>, rhs: ObjectMonitor<U>) -> Bool { lhs === rhs }

extension ObjectMonitor: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The description of the object, on the queue of the object.
    public var coreStoreDumpString: String {
        guard source.graph?.state.isAccessAllowed() == true else { return DumpTree.text([("isOnItsQueue", false)]) }
        return DumpTree.text([("objectID", id), ("isObjectDeleted", isObjectDeleted), ("object", object as Any)])
    }
}
