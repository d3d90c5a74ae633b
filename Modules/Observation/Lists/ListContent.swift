import CofferSchema
import CofferStorage
import CofferTransactions

/// The content of an observed list: counts commits and refetches, and keeps relationships that changed since a fetch.
///
/// The content is used only on the queue of its graph. It computes a next state first and shows this state later, so
/// that observers can be notified in between.
final class ListContent {
    private(set) var request: ListRequest
    private(set) var tree = ListTree()
    /// The computed next state, which is not shown yet.
    ///
    /// A refetch discards this state.
    private var next: ListUpdate?
    /// The number of the last commit that the list knows of.
    private(set) var commit = 0
    /// The number of the last commit before the first fetch of the list's request.
    private var firstCommit = 0
    /// Whether objects of one section were moved together because the order separates them.
    private(set) var isGrouped = false
    /// Whether the last necessary fetch failed.
    private var isStale = false
    /// The relationships that changed since the last successful fetch.
    private var missed = TouchedRelations(limit: TouchedRelations.waitingLimit)
    private var entries: [ObjectID: ListEntry] = [:]
    /// The places of the objects, if the objects cannot be found by their order.
    private var places: [ObjectID: Int] = [:]
    private weak var stack: DataStack?

    /// - Parameter stack: the observed stack; nil for a list of a transaction, whose commits have no numbers.
    init(_ request: ListRequest, _ stack: DataStack?) {
        self.request = request
        self.stack = stack
    }

    /// Whether the list's rows are as new as the live objects.
    var isCurrent: Bool { commit >= shownCommit && !request.graph.isEditable }

    private var shownCommit: Int { stack?.shownCommit ?? 0 }

    /// Whether live objects show a commit and no later commit.
    func isShown(_ commit: CommitDigest) -> Bool { commit.number >= shownCommit }

    /// Whether objects can be found by their order.
    var isPlacedByOrder: Bool { request.local != nil && !isGrouped }

    /// Returns the place of an object; nil if the object is not in the list.
    func index(of id: ObjectID) -> Int? {
        guard let entry = entries[id] else { return nil }
        guard let local = request.local, isPlacedByOrder else { return places[id] }
        return index(of: entry, local)
    }

    func index(of entry: ListEntry, _ local: ListRequest.Local) -> Int? {
        let index = tree.firstIndex { local.precedes($0.row, entry.row) }
        return index < tree.count && tree[index].id == entry.id ? index : nil
    }

    /// Returns the entry of an object; nil if the object is not in the list.
    func entry(of id: ObjectID) -> ListEntry? { entries[id] }

    // MARK: The next state

    /// Computes the state after a commit; if the list cannot be fetched again, it does not change.
    ///
    /// - Parameter failed: called with the error of a fetch, which is logged.
    /// - Returns: whether the list changes.
    func prepare(_ commit: CommitDigest, failed: (CoreStoreError) -> Void = { _ in }) -> Bool {
        next = nil
        do throws(StorageError) {
            next = try update(after: commit)
        } catch {
            let error = CoreStoreError(storage: error)
            Diagnostics.log(error, "A list could not be fetched again. It stays as it is.")
            failed(error)
        }
        return next != nil
    }

    /// Returns the state after a commit; nil if the list does not change.
    private func update(after commit: CommitDigest) throws(StorageError) -> ListUpdate? {
        guard commit.isUnknown || commit.number > self.commit else {
            // The list has the rows of the commit. Observers do not yet know the objects of which only relationships
            // changed.
            return commit.number > firstCommit ? touched(commit) : nil
        }
        if isStale || request.mustRefetch(after: commit) {
            let update = try refetched(request, after: commit)
            return update.change.isEmpty ? skip(to: update.commit) : update
        }
        guard let update = try decided(commit) else { return skip(to: commit.number) }
        return update
    }

    private func skip(to number: Int) -> ListUpdate? {
        commit = number
        return nil
    }

    /// Fetches the objects of another request, or of the same request again, and returns the new state.
    ///
    /// - Parameter commit: the commit after which the list is fetched, if any.
    func refetched(
        _ request: ListRequest, after commit: CommitDigest? = nil
    ) throws(StorageError) -> ListUpdate {
        isStale = true
        if let commit { missed.merge(commit.touched) }
        let graph = request.graph
        var new = try request.entries()
        let touched = missed
        let isGrouped = request.sections?.mayBeApart == true && SectionNames.group(&new)
        let entities = graph.layout.entities
        let change = ListChange(
            from: tree, to: new, order: request.order,
            isTouched: touched.isEmpty
                ? nil : { !touched.relationships(of: $0.id, entities[$0.row.entity]).isEmpty },
            kinds: graph.isEditable ? { graph.layout.entities[$0].kinds } : nil)
        try refresh(change.removed.map { tree[$0].id }, graph, after: commit)
        isStale = false
        missed = TouchedRelations(limit: TouchedRelations.waitingLimit)
        return ListUpdate(
            old: tree, new: ListTree(new), change: change, commit: shownCommit, differing: nil, isGrouped: isGrouped)
    }

    /// Refreshes the live objects that left the list, because another transaction may have changed or deleted them.
    private func refresh(
        _ leaving: [ObjectID], _ graph: ObjectGraph, after commit: CommitDigest?
    ) throws(StorageError) {
        let ids = leaving.filter { id in
            // The objects of a stack already show the changes of the commit.
            guard !graph.isEditable, let known = graph.knownObject(id) else { return graph.isEditable }
            return commit?.change(of: id)?.new?.version != known.row.version
        }
        try graph.refreshUnchanged(ids)
    }

    /// Shows the computed next state.
    ///
    /// - Returns: the change; nil if the list was fetched again after the computation.
    func acceptNext() -> ListUpdate? {
        defer { next = nil }
        if let next { accept(next) }
        return next
    }

    private func accept(_ update: ListUpdate) {
        tree = update.new
        commit = max(commit, update.commit)
        isGrouped = update.isGrouped
        if let differing = update.differing {
            for (id, entry) in differing { entries[id] = entry }
            return
        }
        // Other stacks may have made the changes. Publishers of single objects are not notified of such changes.
        if let stack { CommitObservers.of(stack).publishers.forgetSnapshots(of: update.ids.union(update.removedIDs)) }
        entries.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        entries.reserveCapacity(tree.count)
        var place = 0
        tree.forEach { entry in
            entries[entry.id] = entry
            if !isPlacedByOrder { places[entry.id] = place }
            place += 1
        }
    }

    /// Fetches the objects of a request, which becomes the request of the list, and shows the objects.
    func fetch(_ request: ListRequest) throws(CoreStoreError) {
        let update = try CoreStoreError.converting { () throws(StorageError) in try refetched(request) }
        next = nil
        self.request = request
        accept(update)
        firstCommit = commit
    }
}
