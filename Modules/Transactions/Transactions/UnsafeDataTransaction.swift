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
    /// The relationships as they were when they were last looked at for observers; nil when there are none.
    private var relations: PendingRelations?
    /// The objects that were deleted then.
    private var deleted: [CoreStoreObject] = []
    /// The relationships that changed since observers were told last.
    private var untold = TouchedRelations()
    /// The relationships that other transactions of the stack changed; nil as long as nobody observes this one.
    private var others: RelationLog?
    /// The observed child transactions.
    private var followers: [Follower] = []
    /// Whether what is pending no longer was saved since the relationships were last looked at.
    private var isSaving = false
    private var companions: [ObjectIdentifier: AnyObject] = [:]

    private struct Follower {
        weak var transaction: UnsafeDataTransaction?
    }

    init(_ stack: DataStack, supportsUndo: Bool, sourceIdentifier: Any?) {
        parent = nil
        let graph = ObjectGraph(binding: stack.binding, backing: stack.backing, isEditable: true, keepsReaders: false)
        if supportsUndo { graph.undo = UndoHistory() }
        super.init(stack, graph, sourceIdentifier: sourceIdentifier)
    }

    private init(parent: UnsafeDataTransaction, supportsUndo: Bool, sourceIdentifier: Any?) {
        self.parent = parent
        let graph = ObjectGraph(
            binding: parent._graph.binding, backing: ParentBacking(parent._graph), isEditable: true,
            keepsReaders: false
        )
        if supportsUndo { graph.undo = UndoHistory() }
        parent._graph.children.removeAll { $0.graph == nil }
        parent._graph.children.append(WeakGraph(graph: graph))
        super.init(parent.stack, graph, sourceIdentifier: sourceIdentifier)
    }

    /// Saves what is pending on the stack's own queue.
    ///
    /// The transaction and its child transactions must be left alone until the completion.
    ///
    /// - Parameter completion: called on the view queue, with nil when all was saved.
    public func commit(_ completion: @escaping (_ error: CoreStoreError?) -> Void) {
        guard let stack else { return completion(.unknown) }
        let completion = Handover(completion)
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
        noteRelations()
        isSaving = true
        do throws(CoreStoreError) {
            if let parent {
                parent.noteRelationsForChildren()
                defer { parent.noteRelationsForChildren(except: self) }
                try push(to: parent._graph)
            } else {
                try commit()
            }
            return nil
        } catch {
            // Some of the stores may have saved their parts.
            noteRelations()
            Diagnostics.log(error, "The transaction could not be saved. Its changes are still pending.")
            return error
        }
    }

    private func push(to parent: ObjectGraph) throws(CoreStoreError) {
        try _graph.converting { () throws(StorageError) in
            let changes = try _graph.makeChanges(placesMembers: false)
            try parent.adopt(changes, from: _graph)
            _graph.didCommit([])
            try _graph.takeOver(changes.flatMap(\.updated), from: parent)
        }
    }

    /// Discards every change since the last commit.
    ///
    /// Needs `supportsUndo`.
    public func rollback() {
        checkUndo("rollback")
        _graph.rollback()
        tellFlush()
    }

    /// Takes back the changes up to the last ``flush()`` but one.
    ///
    /// Needs `supportsUndo`. A commit ends the history: after it, `undo()` does nothing until the next change.
    public func undo() {
        checkUndo("undo")
        _graph.undoGroup()
        tellFlush()
    }

    /// Makes again what ``undo()`` took back.
    ///
    /// Needs `supportsUndo`.
    public func redo() {
        checkUndo("redo")
        _graph.redoGroup()
        tellFlush()
    }

    /// Closes a group of changes, for ``undo()`` and for observers of the transaction.
    public func flush() {
        _graph.recordUndoGroup()
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
    /// It is given the relationships that changed since the last time, here and in commits of other transactions of the
    /// stack, also of objects that did not change themselves.
    package func onFlush(_ hook: @escaping (_ touched: TouchedRelations) -> Void) {
        followRelations()
        if others == nil, let stack {
            let log = RelationLog(Set(sequence(first: self, next: \.parent).map { ObjectIdentifier($0._graph) }))
            stack.relationLogs.add(log)
            others = log
            parent?.add(self)
        }
        flushHooks.append(hook)
    }

    override var isObserved: Bool { relations != nil }

    override func didRefresh(_ changed: TouchedRelations) {
        note(changed, except: nil)
        tellFlush()
    }

    private func tellFlush() {
        guard !flushHooks.isEmpty || relations != nil else { return isSaving = false }
        for ancestor in sequence(first: self, next: \.parent).dropFirst() { ancestor.noteRelationsForChildren() }
        noteRelations()
        if let changes = others?.take() { untold.merge(changes) }
        // Changes of an object that was merged belong to the surviving object now.
        let touched = untold.following(_graph.survivor(of:))
        untold = TouchedRelations()
        for hook in flushHooks { hook(touched) }
    }

    /// Begins to note which relationships change.
    private func followRelations() {
        guard relations == nil else { return }
        relations = PendingRelations(_graph)
        deleted = _graph.pending.deleted
        isSaving = false
        _graph.onReconcile = { [unowned self] in
            isSaving = false
            noteRelations()
            isSaving = true
        }
    }

    /// Tells an observed child transaction, too, which relationships change here.
    private func add(_ child: UnsafeDataTransaction) {
        followRelations()
        followers.removeAll { $0.transaction == nil }
        followers.append(Follower(transaction: child))
        parent?.add(self)
    }

    /// Finds the relationships that changed since this was called last, where someone observes the transaction or a child.
    ///
    /// - Parameter child: the child transaction that changed them, which knows.
    private func noteRelations(except child: UnsafeDataTransaction? = nil) {
        defer { isSaving = false }
        guard let earlier = relations else { return }
        let now = PendingRelations(_graph)
        relations = now
        note(TouchedRelations(now.changes(since: earlier, isSaved: isSaving)), except: child)
        note(relationsOfDeletions(), except: child)
        note(_graph.droppedLinks, except: child)
        _graph.droppedLinks = TouchedRelations()
    }

    /// What leads to the objects that were deleted, or that came back, since this was called last.
    ///
    /// That may be more than the transaction knew when it deleted them, and what a delete rule leaves as it is.
    private func relationsOfDeletions() -> TouchedRelations {
        let (before, now) = (deleted, _graph.pending.deleted)
        guard !before.isEmpty || !now.isEmpty else { return TouchedRelations() }
        deleted = now
        let known = Set(before.map(ObjectIdentifier.init))
        let changed = before.filter { !$0.isDeleted } + now.filter { !known.contains(ObjectIdentifier($0)) }
        do throws(StorageError) {
            return try _graph.relationships(to: changed)
        } catch {
            Diagnostics.log(CoreStoreError(storage: error), "Observers are not told of all relationships that changed.")
            return TouchedRelations()
        }
    }

    private func noteRelationsForChildren(except child: UnsafeDataTransaction? = nil) {
        if !followers.isEmpty { noteRelations(except: child) }
    }

    private func note(_ changes: TouchedRelations, except child: UnsafeDataTransaction?) {
        guard !changes.isEmpty else { return }
        untold.merge(changes)
        for case let follower? in followers.map(\.transaction) where follower !== child {
            follower.note(changes, except: nil)
        }
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
        Diagnostics.assert(_graph.undo != nil, "'\(operation)' needs a transaction begun with 'supportsUndo: true'.")
    }
}
