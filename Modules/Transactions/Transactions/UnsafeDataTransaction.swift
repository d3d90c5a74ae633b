public import CofferSchema
import CofferStorage
import Dispatch

// Sendable: one thread uses the transaction at a time, as its documentation requires.
/// An unsafe transaction: `commit`, `commitAndWait`, `rollback`, `undo`, `redo`, `flush` and child transactions.
///
/// ```swift
/// let draft = stack.beginUnsafe(supportsUndo: true)
/// let ann = draft.create(Into<Person>())
/// ann.name = "Ann"
/// draft.undo()
/// ann.isDeleted     // true
/// ```
///
/// The transaction has no queue and no lock: use it from one thread at a time. Each fetch reads a new snapshot.
///
/// An object that the transaction created stays valid after a commit. If the commit merged the object into a stored
/// object with the same unique values (``UniqueConstraintPolicy``), the object represents the stored row and has its
/// id. If the transaction has another object of that row, the two objects are equal, and a change through one object is
/// visible through the other.
///
/// If a commit fails, the changes are still pending. Commit again, or discard them with ``rollback()``, which
/// needs `supportsUndo`.
public final class UnsafeDataTransaction: BaseDataTransaction, @unchecked Sendable {
    private let parent: UnsafeDataTransaction?
    private var flushHooks: [(TouchedRelations) -> Void] = []
    /// The tracker, while the transaction itself has observers.
    private var ownTracker: RelationTracker?
    /// The tracker, also while only child transactions have observers, whose trackers retain it.
    private weak var tracker: RelationTracker?
    private var companions = Companions()

    init(_ stack: DataStack, supportsUndo: Bool, sourceIdentifier: Any?) {
        parent = nil
        let state = ContextState(stack.binding, stack.stores, isEditable: true, keepsSnapshot: false)
        if supportsUndo { state.undo = UndoHistory() }
        super.init(stack, ObjectGraph(state), sourceIdentifier: sourceIdentifier)
    }

    private init(parent: UnsafeDataTransaction, supportsUndo: Bool, sourceIdentifier: Any?) {
        self.parent = parent
        let state = ContextState(
            parent.state.binding, ParentSource(parent.state), parent: parent.state, isEditable: true,
            keepsSnapshot: false)
        if supportsUndo { state.undo = UndoHistory() }
        super.init(parent.stack, ObjectGraph(state), sourceIdentifier: sourceIdentifier)
    }

    /// Saves the pending changes on the stack's own queue.
    ///
    /// ```swift
    /// draft.commit { error in
    ///     if let error { print(error) }
    /// }
    /// ```
    ///
    /// Do not use the transaction and its child transactions until the completion is called. If the commit fails, the
    /// error is logged, and the changes are still pending.
    ///
    /// - Parameter completion: called on the view queue with nil, or with the error. If the data stack was deallocated,
    ///   the completion is called at once, on the current thread, with `unknown`.
    public func commit(_ completion: @escaping (_ error: CoreStoreError?) -> Void) {
        guard let stack else { return completion(.unknown) }
        let completion = UnsafeTransfer(completion)
        stack.view.turns.enter()
        stack.writer.async { [self] in
            defer { stack.view.turns.leave() }
            self.completion = TurnCompletion(isRequired: true) { [self] in
                tellFlush()
                completion.value(nil)
            }
            hasCompletedInTurn = false
            let error = attemptCommit()
            self.completion = nil
            guard !hasCompletedInTurn else { return }
            stack.callInTurn { [self] in
                tellFlush()
                completion.value(error)
            }
        }
    }

    /// Saves the pending changes, and returns when the stack's objects show them.
    ///
    /// ```swift
    /// try draft.commitAndWait()
    /// ```
    ///
    /// A commit of a child transaction applies its changes to the parent transaction, and saves nothing in the stores.
    ///
    /// - Throws: ``CoreStoreError``, which is also logged; the changes are still pending. After `conflict`, call
    ///   ``refreshAndMergeAllObjects()`` and commit again. After `uniqueViolation`, give the object other values. The
    ///   error is `unknown` if the data stack was deallocated.
    public func commitAndWait() throws(CoreStoreError) {
        if let stack, parent == nil {
            if stack.isOnViewQueue, !stack.isInTransaction { stack.view.takeOver() }
            var waiter = TurnWaiter(stack, waits: true)
            let error = waiter.observing(self) { attemptCommit() }
            waiter.wait()
            if let error { throw error }
        } else if let error = attemptCommit() {
            throw error
        }
        tellFlush()
    }

    private func attemptCommit() -> CoreStoreError? {
        tracker?.lookWhileSaving()
        do throws(CoreStoreError) {
            if let parent { try push(to: parent) } else { try commit() }
            return nil
        } catch {
            // Some of the stores may have saved their parts.
            tracker?.look()
            Diagnostics.log(error, "The transaction could not be saved. Its changes are still pending.")
            return error
        }
    }

    private func push(to parent: UnsafeDataTransaction) throws(CoreStoreError) {
        try CoreStoreError.converting { () throws(StorageError) in
            let commit = ChildCommit(state: parent.state)
            guard let observed = parent.tracker else { return try commit.commit(state) }
            try observed.duringCommit(of: tracker) { () throws(StorageError) in try commit.commit(state) }
        }
    }

    /// Discards all changes since the last commit, and the history of changes.
    ///
    /// ```swift
    /// draft.rollback()
    /// ```
    ///
    /// New objects become deleted, and changed objects show the stored values again. An assertion fails if the
    /// transaction was begun without `supportsUndo`.
    public func rollback() {
        checkUndo("rollback")
        state.savepoints.rollback()
        tellFlush()
    }

    /// Undoes the last group of changes.
    ///
    /// ```swift
    /// person.name = "Anna"
    /// draft.flush()
    /// person.age = 30
    /// draft.undo()    // undoes the change of the age
    /// draft.undo()    // undoes the change of the name
    /// ```
    ///
    /// A group ends at ``flush()``. The changes after the last ``flush()`` are a group as well. A commit ends the
    /// history: after the commit, the call does nothing until the next change. If the transaction was begun without
    /// `supportsUndo`, an assertion fails; a release build then does nothing.
    public func undo() {
        checkUndo("undo")
        state.savepoints.undoGroup()
        tellFlush()
    }

    /// Repeats the last group of changes that ``undo()`` has undone.
    ///
    /// ```swift
    /// draft.undo()
    /// draft.redo()
    /// ```
    ///
    /// After a new change, the call does nothing. If the transaction was begun without `supportsUndo`, an assertion
    /// fails; a release build then does nothing.
    public func redo() {
        checkUndo("redo")
        state.savepoints.redoGroup()
        tellFlush()
    }

    /// Ends a group of changes for ``undo()``, and notifies the observers of the transaction.
    ///
    /// ```swift
    /// person.name = "Anna"
    /// draft.flush()
    /// ```
    ///
    /// The changes stay pending, and nothing is saved. If nothing has changed since the last group, the call only
    /// notifies the observers.
    public func flush() {
        state.savepoints.recordUndoGroup()
        tellFlush()
    }

    /// Runs a closure, and ends a group of changes after it.
    ///
    /// ```swift
    /// draft.flush { person.name = "Anna" }
    /// ```
    ///
    /// If the closure throws, the call throws the same error, and the group is not ended.
    public func flush(closure: () throws -> Void) rethrows {
        try closure()
        flush()
    }

    /// Begins a child transaction, whose commits apply its changes to this transaction.
    ///
    /// ```swift
    /// let dialog = draft.beginUnsafe()
    /// dialog.edit(person)?.name = "Anna"
    /// try dialog.commitAndWait()
    /// ```
    ///
    /// The child sees the pending changes of this transaction. This transaction applies the delete rules again to the
    /// objects that the child has deleted.
    ///
    /// If the child changed or references an object that this transaction has deleted since, the child's commit throws
    /// `conflict`.
    public func beginUnsafe(supportsUndo: Bool = false, sourceIdentifier: Any? = nil) -> UnsafeDataTransaction {
        UnsafeDataTransaction(parent: self, supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
    }

    /// Calls the closure after each group of changes, commit, undo and refresh.
    ///
    /// The closure receives the relationships that changed since the last call: in this transaction, in parent
    /// transactions, and in commits of other transactions of the stack.
    package func onFlush(_ hook: @escaping (_ touched: TouchedRelations) -> Void) {
        if let stack, ownTracker == nil {
            ownTracker = tracked()
            ownTracker?.observe(stack.relationLogs)
        }
        flushHooks.append(hook)
    }

    private func tracked() -> RelationTracker {
        if let tracker { return tracker }
        let made = RelationTracker(state, parent: parent?.tracked())
        tracker = made
        return made
    }

    override var isObserved: Bool { tracker != nil }

    override func didRefresh(_ changed: TouchedRelations) {
        tracker?.add(changed)
        tellFlush()
    }

    private func tellFlush() {
        guard let touched = ownTracker?.take() else { return }
        for hook in flushHooks { hook(touched) }
    }

    /// Returns an object of another module that belongs to the transaction; the first call creates the object.
    package func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        let companion = companions[Companion.self] ?? make()
        companions[Companion.self] = companion
        return companion
    }

    private func checkUndo(_ operation: String) {
        Diagnostics.assert(state.undo != nil, "'\(operation)' needs a transaction begun with 'supportsUndo: true'.")
    }
}
