public import CofferSchema
import CofferStorage
import Dispatch

// Sendable: used from one thread at a time, as its documentation requires.
/// A transaction that may be kept, and committed any number of times.
///
/// Nothing is checked and nothing locked: the program uses it from one thread at a time.
///
/// An object that was created here stays valid after a commit, also when it was merged into a stored object with the
/// same unique values (``UniqueConstraintPolicy``). It is an object of the stored row then, and has that row's id. Where
/// the transaction has another object of that row, both are equal: whatever is read, changed or deleted through one is
/// read, changed or deleted through the other.
public final class UnsafeDataTransaction: BaseDataTransaction, @unchecked Sendable {
    private let parent: UnsafeDataTransaction?
    private var flushHooks: [(TouchedRelations) -> Void] = []
    /// Kept while the transaction has observers.
    private var ownTracker: RelationTracker?
    /// The same tracker, also while only child transactions have observers: theirs keep it.
    private weak var tracker: RelationTracker?
    private var companions: [ObjectIdentifier: AnyObject] = [:]

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

    /// Saves what is pending on the stack's own queue.
    ///
    /// The transaction and its child transactions must be left alone until the completion.
    ///
    /// - Parameter completion: called on the view queue, with nil when all was saved.
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

    /// Saves what is pending, and returns once the stack's objects show it.
    public func commitAndWait() throws(CoreStoreError) {
        if let stack, parent == nil {
            if stack.isOnViewQueue, !stack.isInTransaction { stack.view.takeOver() }
            let waiter = TurnWaiter(stack, waits: true)
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
        guard let observed = parent.tracker else { return try push(to: parent.state) }
        try observed.duringCommit(of: tracker) { () throws(CoreStoreError) in try push(to: parent.state) }
    }

    private func push(to parent: ContextState) throws(CoreStoreError) {
        try CoreStoreError.converting { () throws(StorageError) in try ChildCommit(parent).commit(state) }
    }

    /// Discards every change since the last commit.
    ///
    /// Needs `supportsUndo`.
    public func rollback() {
        checkUndo("rollback")
        Savepoints(state).rollback()
        tellFlush()
    }

    /// Takes back the changes up to the last ``flush()`` but one.
    ///
    /// Needs `supportsUndo`. A commit ends the history: after it, `undo()` does nothing until the next change.
    public func undo() {
        checkUndo("undo")
        Savepoints(state).undoGroup()
        tellFlush()
    }

    /// Makes again what ``undo()`` took back.
    ///
    /// Needs `supportsUndo`.
    public func redo() {
        checkUndo("redo")
        Savepoints(state).redoGroup()
        tellFlush()
    }

    /// Closes a group of changes, for ``undo()`` and for observers of the transaction.
    public func flush() {
        Savepoints(state).recordUndoGroup()
        tellFlush()
    }

    /// Runs the closure and then flushes.
    public func flush(closure: () throws -> Void) rethrows {
        try closure()
        flush()
    }

    /// Begins a transaction whose commits only reach this one.
    ///
    /// This transaction follows the delete rules again for what the child deleted. The child's commit throws `conflict` if
    /// an object that it changed, or references, was deleted here meanwhile.
    public func beginUnsafe(supportsUndo: Bool = false, sourceIdentifier: Any? = nil) -> UnsafeDataTransaction {
        UnsafeDataTransaction(parent: self, supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
    }

    /// Calls the closure whenever a group of changes was closed, and after each commit, undo and refresh.
    ///
    /// It is given the relationships that changed since the last time, here, in parent transactions and in commits of other
    /// transactions of the stack.
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

    /// What another module of the package keeps with the transaction, made when it is asked for first.
    package func companion<Companion: AnyObject>(_ make: () -> Companion) -> Companion {
        let key = ObjectIdentifier(Companion.self)
        if let known = companions[key] as? Companion { return known }
        let made = make()
        companions[key] = made
        return made
    }

    private func checkUndo(_ operation: String) {
        Diagnostics.assert(state.undo != nil, "'\(operation)' needs a transaction begun with 'supportsUndo: true'.")
    }
}
