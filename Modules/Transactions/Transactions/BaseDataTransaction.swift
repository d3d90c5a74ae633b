public import CofferClauses
public import CofferSchema
public import CofferStorage
public import CofferStorageTools

/// A transaction: `create`, `edit`, `delete`, `hasChanges` and `refreshAndMergeAllObjects`, with their checks.
///
/// ```swift
/// try stack.perform(synchronous: { transaction in
///     let rex = transaction.create(Into<Dog>())
///     rex.master = try transaction.fetchOne(From<Person>().where { $0.$name == "Ann" })
/// })
/// ```
///
/// Fetches in a transaction see its pending changes. Queries do not see them. Programs use the subclasses
/// ``SynchronousDataTransaction``, ``AsynchronousDataTransaction`` and ``UnsafeDataTransaction``.
///
/// If a commit fails, nothing is saved, with two exceptions. After the code `unknownOutcome`, the program must read the
/// store to learn whether the changes were saved. If the transaction changed several stores, each store saves its part
/// or nothing, and the error names the stores that have saved their parts.
///
/// A call that cannot throw, such as ``edit(_:)``, returns an empty result if the store cannot be read. The error is
/// logged, and the commit throws it.
public class BaseDataTransaction: FetchableSource, QueryableSource {
    /// The source of the changes, which the caller has passed to the transaction.
    public let sourceIdentifier: Any?
    /// Values that the program keeps with the transaction.
    public let userInfo = UserInfo()
    /// The live objects of the transaction.
    public let _graph: ObjectGraph

    weak var stack: DataStack?
    /// The completion in the turn in which the view takes the commit over.
    var completion: TurnCompletion?
    /// The turn in which the view takes the last commit over; nil if there is none.
    var turn: Int?
    /// Whether the completion is called in that turn.
    var hasCompletedInTurn = false
    /// The data stack of the transaction; nil after it was deallocated.
    package var dataStack: DataStack? { stack }

    /// The insertion point of the last new object, because the next object is usually of the same class.
    ///
    /// A transaction whose stores may change does not keep it.
    @exclusivity(unchecked) private var insertion: InsertionPoint?

    init(_ stack: DataStack?, _ graph: ObjectGraph, sourceIdentifier: Any?) {
        self.stack = stack
        self.sourceIdentifier = sourceIdentifier
        _graph = graph
        graph.source = self
    }

    /// Creates a transaction for one closure on the stack's transaction queue.
    convenience init(_ stack: DataStack, _ options: TransactionOptions, sourceIdentifier: Any?) {
        let state = ContextState(stack.binding, stack.stores, isEditable: true, keepsSnapshot: true)
        state.throwsOnConflict = options.conflictPolicy == .throwOnConflict
        state.uniqueConstraintPolicy = options.uniqueConstraintPolicy
        if options.isolation == .serializable { state.readers.readSet = ReadSet() }
        state.isAccessAllowed = { [weak stack] in stack?.isInTransaction ?? true }
        self.init(stack, ObjectGraph(state), sourceIdentifier: sourceIdentifier)
    }

    /// The state that the transaction's objects share.
    var state: ContextState { _graph.state }

    /// Whether the transaction has pending changes.
    ///
    /// If the transaction created an object and deleted it again, the object does not count.
    public var hasChanges: Bool { !state.pending.cancelsOut }

    // MARK: Creating

    /// Creates an object with the default values of its fields and a permanent id.
    ///
    /// ```swift
    /// let ann = transaction.create(Into<Person>())
    /// ann.name = "Ann"
    /// ```
    ///
    /// The commit saves the object. If several stores hold the class, name a configuration: `Into<Person>("Archive")`.
    ///
    /// If the store cannot accept the object, for example without a connection, the commit throws the error. The
    /// program stops with a message if no store holds the class, or if several stores hold it and the clause names no
    /// configuration. It also stops if the class is not in the schema, or if its entity is abstract.
    public func create<O: DynamicObject>(_ into: Into<O>) -> O {
        guard checkUsable("create") else {
            return object(state.factory.unsavedObject(of: entity(of: into)), into)
        }
        if let insertion, into.inferStoreIfPossible, insertion.entity.type == into.entityClass,
            into.entityClass == O.self
        {
            return unsafeDowncast(state.factory.newObject(in: insertion), to: O.self)
        }
        let entity = entity(of: into)
        guard let insertion = insertionPoint(of: into, entity) else {
            let error = StorageError(.closed, "The storages of '\(into.entityClass)' were removed from the data stack.")
            state.failures.keep(
                error, "An object could not be created. The transaction cannot be saved.", isPartial: true)
            return object(state.factory.unsavedObject(of: entity), into)
        }
        if state.keepsSnapshot, into.inferStoreIfPossible { self.insertion = insertion }
        return object(state.factory.newObject(in: insertion), into)
    }

    private func object<O>(_ made: CoreStoreObject, _ into: Into<O>) -> O {
        guard let object = made as? O else { Diagnostics.abort("'\(into.entityClass)' is not a '\(O.self)'.") }
        return object
    }

    private func entity<O>(of into: Into<O>) -> EntityBinding {
        guard let index = _graph.binding.entity(of: into.entityClass) else {
            Diagnostics.abort("'\(into.entityClass)' is not an entity of the data stack's schema. Register it.")
        }
        let entity = _graph.binding.entities[index]
        guard !entity.layout.isAbstract else {
            Diagnostics.abort("'\(entity.layout.name)' is abstract. Create one of its sub-entities.")
        }
        return entity
    }

    /// Returns the insertion point for the objects of a class; nil if the stores were removed.
    private func insertionPoint<O>(of into: Into<O>, _ entity: EntityBinding) -> InsertionPoint? {
        guard let store = store(for: into, entity.layout.index),
            let table = state.identities.table(store.keySpaces[entity.layout.index])
        else { return nil }
        return InsertionPoint(entity, store, table)
    }

    private func store<O>(for into: Into<O>, _ entity: Int) -> OpenStore? {
        let holding = _graph.stores(holding: entity, in: nil)
        let stores = into.inferStoreIfPossible ? holding : _graph.stores(holding: entity, in: [into.configuration])
        guard let store = stores.first else {
            if state.identities.stores.wereRemoved { return nil }
            Diagnostics.abort(
                holding.isEmpty
                    ? "The data stack has no storage for '\(into.entityClass)'. Call 'addStorageAndWait' first."
                    : "The configuration '\(into.configuration ?? "default")' has no storage for '\(into.entityClass)'."
            )
        }
        guard stores.count == 1 else {
            Diagnostics.abort("Several storages contain '\(into.entityClass)'. Name a configuration in 'Into'.")
        }
        return store
    }

    // MARK: Editing

    /// Returns the object of this transaction for an object of any source, in order to change it.
    ///
    /// ```swift
    /// try stack.perform(synchronous: { transaction in
    ///     transaction.edit(person)?.name = "Anna"
    /// })
    /// ```
    ///
    /// Objects of the data stack cannot be changed. Change the object that this call returns.
    ///
    /// - Returns: the object; nil if the argument is nil, if the object was deleted or never saved, or if the store
    ///   cannot be read. In the last two cases, an error is logged. If the store cannot be read, the commit throws its
    ///   error.
    public func edit<O: DynamicObject>(_ object: O?) -> O? {
        guard let object, checkUsable("edit") else { return nil }
        if let own = object as? CoreStoreObject, own.context === _graph.context, !own.isDeleted { return object }
        return fetchExisting(object)
    }

    /// Returns the object with an id, in order to change it.
    ///
    /// ```swift
    /// let ann = transaction.edit(Into<Person>(), id)
    /// ann?.name = "Anna"
    /// ```
    ///
    /// - Returns: the object; nil if there is no such object, or if the object is not of the class. The result is also
    ///   nil if the store cannot be read; the error is logged, and the commit throws it. If the clause names a
    ///   configuration other than that of the object's store, an assertion fails.
    public func edit<O: DynamicObject>(_ into: Into<O>, _ objectID: ObjectID) -> O? {
        guard checkUsable("edit") else { return nil }
        if !into.inferStoreIfPossible, let store = state.identities.store(of: objectID) {
            Diagnostics.assert(
                SchemaBinding.isSame(store.storage.configuration, into.configuration),
                "\(objectID) is not in the store of the configuration '\(into.configuration ?? "default")'."
            )
        }
        return fetchExisting(objectID)
    }

    // MARK: Deleting

    /// Deletes the objects with some ids.
    ///
    /// ```swift
    /// transaction.delete(objectIDs: ids)
    /// ```
    ///
    /// The delete rules are applied at once. If an id has no object, it is ignored. If a store cannot be read, the
    /// error is logged, and the commit throws it.
    public func delete<S: Sequence>(objectIDs: S) where S.Iterator.Element == ObjectID {
        guard checkUsable("delete") else { return }
        delete(ids: Array(objectIDs))
    }

    /// Deletes an object of any source.
    ///
    /// ```swift
    /// transaction.delete(person)
    /// ```
    ///
    /// The delete rules are applied at once: related objects lose their reference to the object, or are deleted as
    /// well. The last values of the object stay readable, and `isDeleted` is true. If the argument is nil, was deleted,
    /// or is an unsaved object of another source, the call does nothing.
    ///
    /// If the rule `.deny` forbids the deletion, the commit throws `invalidValue`. If a related object cannot be read,
    /// the commit throws the error.
    public func delete<O: CoreStoreObject>(_ object: O?) {
        guard checkUsable("delete"), let object else { return }
        if object.context === _graph.context { return delete(own: CollectionOfOne(object)) }
        delete(ids: [object.objectID()])
    }

    /// Deletes objects of any source, or the objects of snapshots, publishers and monitors.
    ///
    /// ```swift
    /// transaction.delete(rex, bella)
    /// ```
    ///
    /// Nil, deleted and unsaved objects are ignored. The call has the same delete rules and errors as the form for one
    /// object.
    public func delete<O: ObjectRepresentation>(_ object: O?, _ objects: O?...) {
        guard checkUsable("delete") else { return }
        if objects.isEmpty, let own = object as? CoreStoreObject, own.context === _graph.context {
            return delete(own: [own])
        }
        delete(ids: ([object] + objects).compactMap { $0?.objectID() })
    }

    /// Deletes the objects of a sequence, or the objects of its snapshots, publishers and monitors.
    ///
    /// ```swift
    /// transaction.delete(try transaction.fetchAll(From<Dog>().where { $0.$age > 20 }))
    /// ```
    ///
    /// Deleted and unsaved objects are ignored. The call has the same delete rules and errors as the form for one
    /// object.
    public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectRepresentation {
        guard checkUsable("delete") else { return }
        delete(ids: objects.map { $0.objectID() })
    }

    private func delete(ids: [ObjectID]) {
        state.deleter.forgetCascades(of: ids)
        let found = _graph.loggingErrors("delete") { () throws(StorageError) in try _graph.objects(ids) }
        delete(own: found ?? [])
    }

    private func delete(own objects: some BidirectionalCollection<CoreStoreObject>) {
        state.failures.keepingErrors("Objects could not be deleted. The transaction cannot be saved.") {
            () throws(StorageError) in try state.deleter.delete(objects)
        }
    }

    /// Reads all objects of the transaction from the stores again, and keeps the pending changes.
    ///
    /// ```swift
    /// draft.refreshAndMergeAllObjects()
    /// try draft.commitAndWait()
    /// ```
    ///
    /// Call it after a commit threw `conflict`, or after another stack or process has changed the stores. The pending
    /// changes are applied to the stored values. If another transaction has deleted an object, its pending changes are
    /// discarded and logged. Monitors of an unsafe transaction report the differences.
    ///
    /// If a commit has failed because of a failed read, this call makes the transaction usable again. The program must
    /// compute values again if they depend on the failed read. If the stores cannot be read now, the error is logged,
    /// and the next commit throws it.
    public func refreshAndMergeAllObjects() {
        guard checkUsable("refreshAndMergeAllObjects") else { return }
        let objects = state.identities.allObjects
        state.readers.release()
        let seenCommits = state.readers.seenCommits
        let loaded = isObserved ? state.relationFinder.loadedRelations() : []
        // Other transactions may have deleted objects that are referenced here, or may have referenced objects that
        // are deleted here.
        if state.pending.isEmpty { state.readers.seenCommits = [:] }
        do throws(StorageError) {
            try state.staleRelations.refreshParentRelations()
            try state.refresher.reload(objects, mergingChanges: true, isWhole: true)
            // The commit applies the delete rules of objects that are deleted here, also to objects that others
            // related to them before.
            state.commits.mustRebase = state.commits.mustRebase || state.lostTargets.mayDelete
            state.failures.forgetReported()
        } catch {
            // The commits of other transactions count as unseen. The next commit examines them again, even if the
            // error came after some objects were refreshed.
            state.readers.seenCommits = seenCommits
            state.failures.keep(error, "The refresh failed.")
        }
        didRefresh(state.relationFinder.changes(since: loaded))
    }

    /// Whether the transaction, or a child transaction, has observers.
    var isObserved: Bool { false }

    /// Called after all objects were read again.
    ///
    /// - Parameter changed: the loaded relationships with other related objects than before.
    func didRefresh(_ changed: TouchedRelations) {}

    /// Checks that the transaction is not over, and that the current thread may use it.
    func checkUsable(_ operation: String) -> Bool {
        guard !state.isFinished else {
            Diagnostics.refuse("'\(operation)' was called on a finished transaction.")
            return false
        }
        #if DEBUG
            Diagnostics.assert(state.isAccessAllowed(), "'\(operation)' was called outside the transaction's queue.")
        #endif
        return true
    }

    /// Ends the transaction and its snapshots; its pending changes are not saved.
    func finish() {
        state.readers.isFinished = true
        state.pending.seal()
        state.readers.release()
    }
}

extension BaseDataTransaction: StackDependent {
    /// Whether the data stack was deallocated.
    var hasLostStack: Bool { stack == nil }
}

extension BaseDataTransaction: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The source, the state and, on its own queue, the number of changed objects.
    public var coreStoreDumpString: String {
        var fields: [(name: String, value: Any)] = [
            ("sourceIdentifier", sourceIdentifier as Any), ("isFinished", state.isFinished),
            ("hasDataStack", stack != nil),
        ]
        if state.isAccessAllowed() {
            let pending = state.pending
            fields += [
                ("hasChanges", hasChanges), ("insertedObjects", pending.inserted.count),
                ("updatedObjects", pending.updated.count), ("deletedObjects", pending.deleted.count),
            ]
        }
        return DumpTree.text(fields)
    }
}
