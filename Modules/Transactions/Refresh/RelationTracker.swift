import CofferSchema
import CofferStorage

/// Tracks which relationships of an unsafe transaction changed since the last notification of its observers.
///
/// The tracker compares the pending changes with the pending changes at the last comparison. It exists while the
/// transaction or one of its child transactions has observers.
final class RelationTracker {
    private let state: ContextState
    private let parent: RelationTracker?
    private var children = WeakList<RelationTracker>()
    /// The pending relationships at the last comparison.
    private var relations: PendingRelations
    /// The objects whose deletion was pending at the last comparison.
    private var deleted: [CoreStoreObject]
    /// Whether pending changes that are missing in the next comparison were saved.
    private var isSaving = false
    /// The changes that observers of the transaction were not notified of yet.
    private var untold = TouchedRelations(limit: TouchedRelations.waitingLimit)
    /// The changes of other transactions; nil while only child transactions have observers.
    private var log: RelationLog?

    init(_ state: ContextState, parent: RelationTracker?) {
        (self.state, self.parent) = (state, parent)
        relations = PendingRelations(state)
        deleted = state.pending.deleted
        parent?.children.append(self)
        state.commits.onRebase = { [weak self] in self?.lookWhileSaving() }
    }

    deinit { state.commits.onRebase = nil }

    /// Begins to collect changes for observers of the transaction itself.
    func observe(_ logs: RelationLogs) {
        guard log == nil else { return }
        look()
        let log = RelationLog(Set(sequence(first: self, next: \.parent).map { ObjectIdentifier($0.state) }))
        logs.add(log)
        self.log = log
    }

    // MARK: Comparing

    /// Records the changes since the last comparison.
    ///
    /// - Parameter child: the child transaction that made the changes; it is not notified.
    func look(except child: RelationTracker? = nil) {
        loadOrders()
        let (earlier, now) = (relations, PendingRelations(state))
        let changes = now.changes(since: earlier, isSaved: isSaving)
        (relations, isSaving) = (now, false)
        note(changes, except: child)
        lookAtDeletions(since: earlier, except: child)
        note(state.commits.droppedLinks.byOwner, except: child)
        state.commits.droppedLinks = TouchedRelations()
    }

    /// Records the changes since the last comparison, before or during a commit.
    func lookWhileSaving() {
        isSaving = false
        look()
        isSaving = true
    }

    /// Runs the commit of a child transaction.
    func duringCommit<Failure>(of child: RelationTracker?, _ body: () throws(Failure) -> Void) throws(Failure) {
        guard !children.elements.isEmpty else { return try body() }
        look()
        defer { look(except: child) }
        try body()
    }

    /// Returns the relationships that changed since the last call.
    ///
    /// The result includes the changes of the transaction, of its parents and of other transactions of the stack.
    func take() -> TouchedRelations {
        for ancestor in sequence(first: self, next: \.parent).dropFirst() { ancestor.look() }
        look()
        if let log { untold.merge(log.take()) }
        defer { untold = TouchedRelations(limit: TouchedRelations.waitingLimit) }
        return untold.following(state.identities.survivor(of:))
    }

    /// Adds relationships that were read again and have other related objects.
    func add(_ changes: TouchedRelations) { note(changes.byOwner, except: nil) }

    private func note(_ changes: [ObjectID: Set<Int>], except child: RelationTracker?) {
        guard !changes.isEmpty else { return }
        if log != nil { untold.merge(changes) }
        for follower in children.elements where follower !== child { follower.note(changes, except: nil) }
    }

    /// Loads the relationships with a pending order, because other transactions may have changed their members.
    private func loadOrders() {
        do throws(StorageError) {
            try state.relationFinder.loadPendingOrders()
        } catch {
            Diagnostics.log(
                CoreStoreError(storage: error),
                "Members of an ordered relationship could not be read. Observers may miss a change of their order.")
        }
    }

    /// Records the relationships that reference objects deleted or restored since the last comparison.
    ///
    /// These can include references that the transaction had not loaded, and references that a delete rule leaves
    /// unchanged.
    private func lookAtDeletions(since earlier: PendingRelations, except child: RelationTracker?) {
        let now = state.pending.deleted
        guard !deleted.isEmpty || !now.isEmpty else { return }
        let known = Set(deleted.map(ObjectIdentifier.init))
        let changed = deleted.filter { !$0.isDeleted } + now.filter { !known.contains(ObjectIdentifier($0)) }
        do throws(StorageError) {
            let changes = try state.relationFinder.relationships(to: changed, since: earlier)
            deleted = now
            note(changes.byOwner, except: child)
        } catch {
            Diagnostics.log(
                CoreStoreError(storage: error),
                "Related objects of deleted objects could not be read. Observers are notified later.")
        }
    }
}
