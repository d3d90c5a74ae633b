import CofferStorage
import Foundation

/// The data stack of a commit pipeline: orders commits, and passes them on to the view and to observers.
protocol CommitPublisher: AnyObject {
    /// The lock that a commit holds from its rebase to its end.
    var commitLock: NSLock { get }

    /// Waits until the view queue has taken over enough commits, for a limited time.
    func waitForRoom(_ completion: TurnCompletion?)

    /// Prepares the view for a commit to some stores.
    func beginTurn(_ stores: [OpenStore], _ completion: TurnCompletion?)

    /// Hands a commit over to the view, or ends the preparation if nothing was saved.
    ///
    /// - Returns: the turn in which the view takes the commit over; nil if the view has nothing to do.
    func endTurn(_ stores: [OpenStore], _ record: CommitRecord, _ completion: TurnCompletion?) -> Int?

    /// Notifies the other transactions of the stack of the relationships that a part of a commit changed.
    func tellRelations(_ part: CommitRecord.InStore, of context: ObjectIdentifier)
}

/// Runs the steps of a commit in order; saves one store after another; an error names the stores saved earlier.
///
/// Each store saves all of its part or nothing. If a store fails, the later stores are not called, and the parts that
/// were saved before are no longer pending. The error names the stores that have saved their parts. Any other failure
/// leaves the pending changes as they were.
struct CommitPipeline {
    private let state: ContextState
    private let publisher: any CommitPublisher
    private let completion: TurnCompletion?
    /// The turn in which the view takes over a commit that failed after some stores had saved their parts.
    private(set) var partialTurn: Int?

    /// The pending changes before the rebase; nil if it changed nothing, or if the transaction ends with its commit.
    private var before: Savepoint?
    private var changes: [StoreChanges] = []
    private var record: CommitRecord
    /// Whether other transactions may have changed the members of a loaded relationship.
    private var isMerged = false

    init(
        _ state: ContextState, _ publisher: any CommitPublisher, _ source: SourceIdentifier,
        _ completion: TurnCompletion?
    ) {
        self.state = state
        self.publisher = publisher
        self.completion = completion
        record = CommitRecord(sourceIdentifier: source)
    }

    /// Saves the pending changes.
    ///
    /// - Returns: the turn in which the view takes the commit over; nil if the view has nothing to do.
    mutating func run() throws(StorageError) -> Int? {
        try state.failures.check()
        publisher.waitForRoom(completion)
        publisher.commitLock.lock()
        defer { publisher.commitLock.unlock() }
        try rebase()
        try validate()
        try plan()
        try write()
        apply()
        return publish()
    }

    /// Applies the pending changes to the rows that other transactions have saved.
    private mutating func rebase() throws(StorageError) {
        before = try ChangeRebase(state: state).rebase()
        if before != nil { state.commits.onRebase?() }
    }

    /// Throws an error if no store can save the changes.
    private func validate() throws(StorageError) {
        try restoring { () throws(StorageError) in try ChangeValidator(state: state).check() }
    }

    /// Creates a change set for each store.
    private mutating func plan() throws(StorageError) {
        let state = state
        changes = try restoring { () throws(StorageError) in
            let planner = ChangePlanner(state: state)
            var changes = try planner.makeChanges()
            for index in changes.indices {
                try TargetCheck(state: state).check(&changes[index])
                planner.addConditions(to: &changes[index])
                planner.addPolicies(to: &changes[index])
            }
            return changes
        }
        isMerged = state.commits.hasMergedOrders || state.stores.contains(where: state.readers.hasNewCommits)
        state.commits.hasMergedOrders = false
        // A reader of this transaction must not prevent the stores from folding their logs.
        state.readers.release()
    }

    /// Saves the change sets in their stores, one after the other.
    private mutating func write() throws(StorageError) {
        guard !changes.isEmpty else { return }
        publisher.beginTurn(changes.map(\.store), completion)
        do {
            for index in changes.indices {
                let saved = try changes[index].save(state)
                record.stores.append(saved)
                publisher.tellRelations(saved, of: ObjectIdentifier(state))
            }
        } catch {
            throw fail(error)
        }
    }

    /// Makes the saved changes the committed state of the transaction.
    private func apply() {
        CommitRecorder(state: state).didCommit(record.stores)
        if isMerged, !state.keepsSnapshot { state.deltas.forgetRelatedKeys() }
    }

    /// Hands the commit over to the view of the data stack.
    private func publish() -> Int? {
        changes.isEmpty ? nil : publisher.endTurn(changes.map(\.store), record, completion)
    }

    // MARK: Failures

    private func restoring<Output>(_ body: () throws(StorageError) -> Output) throws(StorageError) -> Output {
        do throws(StorageError) {
            return try body()
        } catch {
            state.savepoints.goBack(to: before)
            throw error
        }
    }

    /// Ends a commit that a store refused, and returns the error to throw.
    private mutating func fail(_ error: StorageError) -> StorageError {
        let saved = record.stores.map(\.store)
        state.commits.hasSavedParts = !saved.isEmpty
        if saved.isEmpty {
            state.savepoints.goBack(to: before)
        } else {
            CommitRecorder(state: state).didCommit(record.stores, in: saved)
            state.savepoints.goBack(to: before, without: saved)
        }
        partialTurn = publisher.endTurn(
            changes.map(\.store), record, completion?.isRequired == true ? nil : completion)
        return saved.isEmpty ? error : error.afterSaving(saved)
    }
}

extension StoreChanges {
    /// Saves the changes in their store, and records them.
    fileprivate mutating func save(_ state: ContextState) throws(StorageError) -> CommitRecord.InStore {
        let result = try store.named("save") { () throws(StorageError) in try store.commit(set) }
        state.noteCommit(store)
        // Without the change set, the objects are the only owners of their rows, and can write the new versions
        // without a copy.
        set.updates = []
        return CommitRecorder(state: state).record(self, result)
    }
}

extension OpenStore {
    /// Commits a change set, and adds the ids of the objects to the conflicts of an error.
    fileprivate func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        do throws(StorageError) {
            return try storage.commit(changes)
        } catch {
            var error = error
            for index in error.conflicts.indices {
                error.conflicts[index].id = id(error.conflicts[index].key, of: error.conflicts[index].root)
            }
            throw error
        }
    }
}

extension StorageError {
    /// Returns the error of a commit that other stores have partly saved.
    ///
    /// The error is not retryable, because a repeated transaction would save these parts twice.
    fileprivate func afterSaving(_ stores: [OpenStore]) -> StorageError {
        var error = self
        error.isRetryable = false
        let names = stores.map(\.storage.storeDescription).joined(separator: ", ")
        error.message += " The changes in \(names) were already saved. Do not repeat them."
        return error
    }
}
