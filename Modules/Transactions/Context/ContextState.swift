package import CofferEvaluation
package import CofferSchema
package import CofferStorage

/// The state of one context: its objects, readers, pending changes, failures and child contexts.
///
/// A data stack has a context for its view, and each transaction and each read has one. The types that fetch, edit and commit
/// share this state and add no state of their own. One thread uses it at a time.
package final class ContextState {
    package let binding: SchemaBinding
    /// The context as objects know it.
    let objectContext: ObjectContext
    /// The context of the parent transaction.
    let parent: ContextState?
    package let evaluator: ReferenceEvaluator
    package let isEditable: Bool
    /// Whether the context reads from one snapshot of each store and ends with its commit.
    let keepsSnapshot: Bool

    let identities: IdentityMap
    package let readers: ReaderPool
    package let failures: FailureRecord
    @exclusivity(unchecked) var relations = LoadedRelationships()

    // Exclusivity is not checked at run time: no access to one of these calls out while it lasts.
    /// Whether the current thread may use the context's objects.
    @exclusivity(unchecked) package var isAccessAllowed: @Sendable () -> Bool = { true }
    @exclusivity(unchecked) var pending = PendingChanges()
    /// Finds new and changed objects by key; empty until a fetch needs it, and again when rows were replaced.
    @exclusivity(unchecked) var pendingIndex = PendingIndex()
    /// The states to go back to, when the transaction supports undo.
    @exclusivity(unchecked) var undo: UndoHistory?
    /// Whether a property of one of the objects is watched.
    @exclusivity(unchecked) var hasWatchers = false
    /// The sizes of the last rows of each entity, for new ones.
    @exclusivity(unchecked) var tailSizes: [Int]
    /// Whether nothing is saved when someone else has changed one of the objects.
    @exclusivity(unchecked) var throwsOnConflict = false
    /// What happens to new objects whose unique values others have; nil for what each constraint says.
    @exclusivity(unchecked) var uniqueConstraintPolicy: UniqueConstraintPolicy?
    @exclusivity(unchecked) var commits = CommitState()
    /// How many pending objects fetches have tried, for tests.
    @exclusivity(unchecked) package var visitedPendingCount = 0
    /// The contexts of the child transactions.
    @exclusivity(unchecked) private(set) var children = WeakList<ContextState>()

    init(
        _ binding: SchemaBinding, _ source: any ReaderSource, parent: ContextState? = nil, isEditable: Bool,
        keepsSnapshot: Bool
    ) {
        self.binding = binding
        self.parent = parent
        self.isEditable = isEditable
        self.keepsSnapshot = keepsSnapshot
        objectContext = ObjectContext(binding, isEditable: isEditable)
        evaluator = ReferenceEvaluator(layout: binding.layout)
        identities = IdentityMap(StoreList(source, isFixed: keepsSnapshot))
        readers = ReaderPool(source, binding.layout, isEditable: isEditable, keepsSnapshot: keepsSnapshot)
        failures = FailureRecord(readers, isView: !isEditable && !keepsSnapshot)
        tailSizes = Array(repeating: 0, count: binding.layout.entities.count)
        parent?.children.append(self)
    }

    deinit { readers.release() }

    package var layout: ModelLayout { binding.layout }

    /// The stores as they are now; for a transaction, as they were at its first look.
    package var stores: [OpenStore] { identities.currentStores }

    /// Whether rows are read that may change and keep their version: those of a parent transaction.
    package var readsPendingRows: Bool { parent != nil }

    /// Whether the transaction or read is over, so that nothing may be changed any more.
    var isFinished: Bool { readers.isFinished }

    // MARK: Tasks

    var editor: RowEditor { RowEditor(state: self) }
    var merger: RowMerger { RowMerger(state: self) }
    var finder: ObjectFinder { ObjectFinder(state: self) }
    var factory: ObjectFactory { ObjectFactory(state: self) }
    var gate: ChangeGate { ChangeGate(state: self) }

    // MARK: Rows

    /// The rows that the stores have for some ids, by id; ids of unknown stores have none.
    func storedRows(
        _ ids: some Sequence<ObjectID>, _ operation: String
    ) throws(StorageError) -> [ObjectID: Row] {
        var rows: [ObjectID: Row] = [:]
        for (number, members) in Dictionary(grouping: ids, by: \.storage) {
            guard let space = identities.space(number) else { continue }
            let keys = members.map(\.key).sorted()
            for row in try readers.rows(keys, root: space.root, space.store, operation) {
                rows[ObjectID(storage: number, key: row.key)] = row
            }
        }
        return rows
    }

    // MARK: Child transactions

    /// Marks the relationships of child transactions as stale, so that their next fetch reads them again.
    func noteStaleChildren() {
        guard !children.isEmpty else { return }
        for child in children.elements {
            child.relations.areStale = true
            child.noteStaleChildren()
        }
    }

    // MARK: Commits

    /// Counts a commit of the context's own.
    func noteCommit(_ store: OpenStore) {
        let before = store.noteCommit()
        // A transaction that ends with its commit reads nothing more.
        guard !keepsSnapshot else { return }
        let number = ObjectIdentifier(store)
        if relations.seenCommits[number] == before { relations.seenCommits[number] = before + 1 }
        // A context that has never read knows what it has just saved, and that others may change from now on.
        if readers.seenCommits[number] ?? before == before { readers.seenCommits[number] = before + 1 }
    }

    // MARK: Closures of the program

    /// Whether the task of the transaction or read was cancelled.
    var isCancelled: Bool { readers.cancellation?.isCancelled == true }

    /// Runs a closure of the program, and throws `userCancelled` if the task was cancelled in the meantime.
    func run<Output>(_ task: () throws -> Output) throws(CoreStoreError) -> Output {
        do {
            let output = try EnclosingWork(failures).during(task)
            guard !isCancelled else { throw CoreStoreError.userCancelled }
            return output
        } catch _ where isCancelled {
            throw .userCancelled
        } catch let error as CoreStoreError {
            throw error
        } catch {
            throw .userError(error: error)
        }
    }

    /// Discards the pending changes and all objects: they keep their values and have no related objects.
    func close() {
        readers.release()
        objectContext.detach()
        pending = PendingChanges()
        pendingIndex = PendingIndex()
        identities.removeAll()
    }
}

/// What a transaction remembers between the steps of a commit, and between a commit that failed and the next one.
struct CommitState {
    /// Whether a commit failed after some of the stores had saved their parts.
    var hasSavedParts = false
    /// Whether the order of a relationship that is being saved was merged with what others saved.
    var hasMergedOrders = false
    /// Whether the next commit must apply delete rules even if no other commit is newer than the last refresh.
    var mustRebase = false
    /// Called when a commit has adapted the pending changes to what others saved, before it is made.
    var onRebase: (() -> Void)?
    /// The relationships from which a commit removed links to objects that others had deleted, while there are observers.
    var droppedLinks = TouchedRelations()
    /// The objects deleted by cascades of which a commit has said that others have moved them.
    var reportedCascades: Set<ObjectID> = []
}

/// Records whether a context has loaded relationships, and whether other commits have made them stale.
struct LoadedRelationships {
    /// Whether some object may know the members of a to-many relationship.
    var areLoaded = false
    /// Whether rows were read since that give some relationships other members.
    var areStale = false
    /// How many commits each store had seen at the last look for stale relationships.
    var seenCommits: [ObjectIdentifier: Int] = [:]
}
