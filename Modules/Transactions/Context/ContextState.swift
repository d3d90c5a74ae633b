package import CofferEvaluation
package import CofferSchema
package import CofferStorage

/// The state of one context: its objects, readers, pending changes, failures and child contexts.
///
/// A data stack has a context for its view, and each transaction and each read has one. The types that fetch, edit
/// and commit share this state and add no state of their own. One thread uses it at a time.
package final class ContextState {
    package let binding: SchemaBinding
    /// The reference of objects to the context.
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

    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    /// Whether the current thread may use the context's objects.
    @exclusivity(unchecked) package var isAccessAllowed: @Sendable () -> Bool = { true }
    @exclusivity(unchecked) var pending = PendingChanges()
    /// Finds new and changed objects by key; empty until a fetch needs it, and again after rows were replaced.
    @exclusivity(unchecked) var pendingIndex = PendingIndex()
    /// The undo history, if the transaction supports undo.
    @exclusivity(unchecked) var undo: UndoHistory?
    /// Whether a property of one of the objects is observed.
    @exclusivity(unchecked) var hasWatchers = false
    /// The row sizes of each entity, from which the sizes of new rows are estimated.
    @exclusivity(unchecked) var tailSizes: [Int]
    /// Whether a commit fails if another transaction has changed one of the objects.
    @exclusivity(unchecked) var throwsOnConflict = false
    /// The policy for new objects with the unique values of other rows; nil for the policy of each constraint.
    @exclusivity(unchecked) var uniqueConstraintPolicy: UniqueConstraintPolicy?
    @exclusivity(unchecked) var commits = CommitState()
    /// The number of pending objects that fetches have evaluated, for tests.
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

    /// The current stores; for a transaction, the stores at its first access.
    package var stores: [OpenStore] { identities.currentStores }

    /// Whether rows may change and keep their version; true if the context reads from a parent transaction.
    package var readsPendingRows: Bool { parent != nil }

    /// Whether the transaction or read is over, so that no more changes are allowed.
    var isFinished: Bool { readers.isFinished }

    // MARK: Tasks

    var editor: RowEditor { RowEditor(state: self) }
    var merger: RowMerger { RowMerger(state: self) }
    var finder: ObjectFinder { ObjectFinder(state: self) }
    var factory: ObjectFactory { ObjectFactory(state: self) }
    var gate: ChangeGate { ChangeGate(state: self) }

    // MARK: Rows

    /// Returns the stored rows with some ids, by id; ids of unknown stores are ignored.
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

    /// Counts a commit of this context, so that it does not appear as a commit of another context.
    func noteCommit(_ store: OpenStore) {
        let before = store.noteCommit()
        // A transaction that ends with its commit does not read again.
        guard !keepsSnapshot else { return }
        let number = ObjectIdentifier(store)
        if relations.seenCommits[number] == before { relations.seenCommits[number] = before + 1 }
        // A context that has never read knows the rows that it saved; from now on, other commits may change them.
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

    /// Discards the pending changes and all objects; the objects keep their values, and lose their related objects.
    func close() {
        readers.release()
        objectContext.detach()
        pending = PendingChanges()
        pendingIndex = PendingIndex()
        identities.removeAll()
    }
}

/// The state of a transaction between the steps of a commit, and between a failed commit and the next one.
struct CommitState {
    /// Whether a commit failed after some of the stores had saved their parts.
    var hasSavedParts = false
    /// Whether the order of a relationship in this commit was merged with an order that another transaction saved.
    var hasMergedOrders = false
    /// Whether the next commit must apply delete rules even if no other commit is newer than the last refresh.
    var mustRebase = false
    /// Called when a commit has applied the pending changes to newer rows, before the changes are saved.
    var onRebase: (() -> Void)?
    /// The relationships from which a commit removed links to objects that were deleted by other transactions.
    ///
    /// Recorded only if the transaction has observers.
    var droppedLinks = TouchedRelations()
    /// The objects that cascades deleted, other transactions moved, and a commit has already reported.
    var reportedCascades: Set<ObjectID> = []
}

/// Records whether a context has loaded relationships, and whether other commits have made them stale.
struct LoadedRelationships {
    /// Whether an object may have loaded members of a to-many relationship.
    var areLoaded = false
    /// Whether newly read rows give some relationships other members.
    var areStale = false
    /// The number of commits of each store at the last check for stale relationships.
    var seenCommits: [ObjectIdentifier: Int] = [:]
}
