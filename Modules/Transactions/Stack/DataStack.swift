public import CofferMigration
public import CofferSchema
public import CofferStorage
public import CofferStorageTools
public import Dispatch
public import Foundation

// Sendable: the state consists of constants, locked values, and the view's graph, which only the view queue accesses.
/// A data stack: its model, stores, view queue and hooks, and `refreshAndMergeAllObjects()`.
///
/// ```swift
/// let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")]))
/// try stack.addStorageAndWait(InMemoryStore())
///
/// try stack.perform(synchronous: { transaction in
///     transaction.create(Into<Person>()).name = "Ann"
/// })
/// let people = try stack.fetchAll(From<Person>())
/// ```
///
/// The stack's own objects are live: after a commit, they show the new values. They belong to the view queue, which is
/// the main queue by default, as do its fetches and look-ups. Any thread may call `perform`, `read` and `addStorage`.
///
/// Keep a reference to the stack for as long as you use its objects. After the stack is deallocated, the values of its
/// objects stay readable, and their relationships are empty.
public final class DataStack: Equatable, FetchableSource, QueryableSource, @unchecked Sendable {
    /// The `CFBundleName` of the program; "CoreData" if there is none.
    public static let applicationName: String =
        Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "CoreData"

    /// The name of the configuration that holds every entity.
    package static let defaultConfigurationName = SchemaBinding.defaultConfigurationName

    /// The queue of the stack's objects; completions and observers are called on this queue.
    public let viewQueue: DispatchQueue

    /// Values that the program keeps with the stack.
    public let userInfo = UserInfo()

    package let schemaHistory: SchemaHistory
    package let binding: SchemaBinding
    let stores = StackStores()
    /// Runs synchronous and asynchronous transactions, one after the other.
    let writer: DispatchQueue
    /// Orders commits and their records.
    let commitLock = NSLock()
    /// The lock that is held while a storage is being added.
    let adding = NSLock()
    /// Runs migrations, one after the other, while the stack is used.
    let migrating = DispatchQueue(label: "coffer.migrations")
    /// Runs background reads.
    let reading = ReadQueue()

    /// The live objects, and the turns that update them.
    let view: StackView
    let writing: QueueOwnership
    let relationLogs = RelationLogs()
    private let storageHooks = Locked<[@Sendable () -> Void]>([])
    private let removalHooks = Locked<[@Sendable () -> Void]>([])
    let removals = Locked(0)
    private let companions = Locked(Companions())

    /// Creates a stack with one or more versions of its model.
    ///
    /// ```swift
    /// let stack = DataStack(schemaV1, schemaV2, migrationChain: ["V1", "V2"])
    /// ```
    ///
    /// The stack has no store yet: call `addStorageAndWait` or `addStorage` before the first fetch. The last version of
    /// the migration chain is the current one. With several schemas and no chain, the program stops with a message. If
    /// the chain names a version without a schema, adding a store throws `invalidModel`.
    ///
    /// - Parameters:
    ///   - migrationChain: the steps from older versions to the current one.
    ///   - viewQueue: the queue that the stack's objects belong to. Most servers do not serve the main queue; give such
    ///     a program its own queue.
    public convenience init(
        _ schema: any DynamicSchema, _ otherSchema: any DynamicSchema..., migrationChain: MigrationChain = nil,
        viewQueue: DispatchQueue = .main
    ) {
        self.init(
            schemaHistory: SchemaHistory(allSchema: [schema] + otherSchema, migrationChain: migrationChain),
            viewQueue: viewQueue
        )
    }

    /// Creates a stack with a history of its model.
    ///
    /// ```swift
    /// let stack = DataStack(schemaHistory: SchemaHistory(schemaV1, schemaV2, migrationChain: ["V1", "V2"]))
    /// ```
    ///
    /// The stack has no store yet: call `addStorageAndWait` or `addStorage` before the first fetch. If the model
    /// contradicts itself, these calls throw `invalidModel`.
    ///
    /// - Parameters:
    ///   - schemaHistory: the versions of the model, and the current version.
    ///   - viewQueue: the queue that the stack's objects belong to.
    public required init(schemaHistory: SchemaHistory, viewQueue: DispatchQueue = .main) {
        self.schemaHistory = schemaHistory
        self.viewQueue = viewQueue
        binding = schemaHistory.currentSchema._binding()
        writer = DispatchQueue(label: "coffer.transactions")
        writing = QueueOwnership.of(writer)
        view = StackView(binding, stores, viewQueue)
        view.graph.source = self
    }

    deinit {
        view.close()
        for store in stores.removeAll() { store.storage.close() }
    }

    /// The version of the model that the stack's stores have.
    public var modelVersion: String { schemaHistory.currentModelVersion }

    /// The schema of ``modelVersion``.
    public var modelSchema: any DynamicSchema { schemaHistory.currentSchema }

    /// The entity classes that are equal to a type or inherit from it, by entity name.
    ///
    /// The type itself need not be an entity: for `CoreStoreObject.self`, the result contains all entity classes.
    public func entityTypesByName(for type: CoreStoreObject.Type) -> [EntityName: CoreStoreObject.Type] {
        let entities = binding.entities.filter { entity in
            type == CoreStoreObject.self
                || sequence(first: entity.type, next: { $0.superclassOfObjects }).contains { $0 == type }
        }
        return Dictionary(entities.map { ($0.layout.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the id that a URI represents; nil if the URI belongs to no store of the stack.
    ///
    /// ```swift
    /// let id = stack.objectID(forURIRepresentation: url)
    /// ```
    ///
    /// The URI is the `uriRepresentation()` of an id. The object may have been deleted meanwhile; `fetchExisting` then
    /// returns nil.
    public func objectID(forURIRepresentation url: URL) -> ObjectID? {
        guard let id = ObjectID(uriRepresentation: url) else { return nil }
        return stores.stores.contains { $0.root(of: id) != nil } ? id : nil
    }

    /// Whether both are the same stack.
    public static func == (lhs: DataStack, rhs: DataStack) -> Bool { lhs === rhs }

    // MARK: The view

    /// The live objects of the view, as of the last turn.
    public var _graph: ObjectGraph { view.graph }

    /// Whether the current code runs on the view queue, or in a transaction that the view queue waits for.
    package var isOnViewQueue: Bool { view.isCurrent }

    /// Whether the current code runs inside a synchronous or asynchronous transaction of this stack.
    var isInTransaction: Bool { writing.isCurrent }

    /// The number of the last commit.
    package var lastCommit: Int { view.turns.lastCommit }
    /// The number of the last commit that the view shows.
    package var shownCommit: Int { view.turns.shownCommit }

    /// The id of the surviving object if an object was merged into another one; otherwise the same id.
    ///
    /// Any thread may call this method.
    package func survivor(of id: ObjectID) -> ObjectID {
        stores.stores.first { $0.keySpaces.contains(id.storage) }?.survivor(of: id) ?? id
    }

    /// Calls the closure on the view queue with each commit, after the view took it over.
    package func onCommit(_ hook: @escaping @Sendable (CommitRecord) -> Void) { view.onCommit(hook) }

    /// Returns an object of another module that belongs to the stack; the first call creates the object.
    package func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        companions.withLock { companions in
            let companion = companions[Companion.self] ?? make()
            companions[Companion.self] = companion
            return companion
        }
    }

    /// Calls the closure on the view queue after storages were added or removed.
    package func onStoragesChange(_ hook: @escaping @Sendable () -> Void) {
        storageHooks.withLock { $0.append(hook) }
    }

    /// The number of times that all storages were removed; it increases before the storages are closed.
    package var removalCount: Int { removals.withLock { $0 } }

    /// Calls the closure on the view queue when all storages were removed, after the turns of their commits.
    package func onStoragesRemoval(_ hook: @escaping @Sendable () -> Void) {
        removalHooks.withLock { $0.append(hook) }
    }

    /// Calls the hooks for the removal of the storages.
    func tellStoragesRemoval() {
        for hook in removalHooks.withLock({ $0 }) { hook() }
    }

    /// Calls the hooks for a change of the storages, in a later block of the view queue.
    func tellStoragesChange() {
        let hooks = storageHooks.withLock { $0 }
        guard !hooks.isEmpty else { return }
        // The hooks are called later, because a storage may be being added now, and a hook may add another one.
        viewQueue.async { for hook in hooks { hook() } }
    }

    /// Reads the stack's live objects from the stores again, and notifies observers.
    ///
    /// ```swift
    /// stack.refreshAndMergeAllObjects()
    /// ```
    ///
    /// Call it to see the commits of other stacks and processes that share a store. Monitors report the differences.
    /// Publishers and observers of properties are notified even if their object has the same values. If a store cannot
    /// be read, the objects stay as they are, and the error is logged.
    public func refreshAndMergeAllObjects() {
        let graph = _graph
        guard graph.calls.mayLookUp(CoreStoreObject.self) else { return }
        let objects = graph.state.identities.allObjects
        let loaded = view.isObserved ? graph.state.relationFinder.loadedRelations() : []
        let isDone: Void? = graph.loggingErrors("refresh") { () throws(StorageError) in
            try graph.state.refresher.reload(objects, mergingChanges: true)
        }
        guard isDone != nil else { return }
        let changed = graph.state.relationFinder.changes(since: loaded)
        if view.isCurrent { view.tellRefresh(changed) } else { viewQueue.async { [view] in view.tellRefresh(changed) } }
    }
}

extension DataStack: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The model and the storages.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("modelVersion", modelVersion),
            ("schemaHistory", schemaHistory),
            ("storages", stores.stores.map(\.storage.storeDescription)),
            ("viewQueue", viewQueue.label),
        ])
    }
}
