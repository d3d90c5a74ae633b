import CofferSchema
import CofferStorage
import CofferTransactions

/// Finds the observers that a commit concerns, and runs the four phases for all of them.
// Sendable: only the view queue, or the user of the transaction, uses the properties. The two tables have locks.
final class CommitObservers: @unchecked Sendable {
    private struct Weak {
        weak var observer: (any CommitObserver)?
    }

    private var lists: [Weak] = []
    private var objects: [ObjectID: [Weak]] = [:]
    private var sweepAt = 64
    private var sweepListsAt = 64
    private var flushes = 0
    /// The object publishers that are in use.
    let publishers = PublisherTable()
    /// The sequences that tasks iterate over.
    let subscriptions = SubscriptionTable()

    private init() {}

    deinit { subscriptions.finishAll() }

    /// Returns the observers of a stack.
    static func of(_ stack: DataStack) -> CommitObservers {
        stack.companion {
            let observers = CommitObservers()
            stack.onCommit { [weak observers, weak stack] in
                observers?.tell(CommitDigest($0)) { stack?.survivor(of: $0) }
            }
            stack.onStoragesChange { [weak observers] in observers?.tellStoragesChange() }
            stack.onStoragesRemoval { [weak observers] in observers?.subscriptions.finishAll() }
            return observers
        }
    }

    /// Returns the observers of an unsafe transaction, which are notified after each flush.
    static func of(_ transaction: UnsafeDataTransaction) -> CommitObservers {
        transaction.companion {
            let observers = CommitObservers()
            let source = transaction.sourceIdentifier
            transaction.onFlush { [weak observers, weak transaction] touched in
                observers?.refreshObjects(transaction)
                observers?.tellFlush(source, touched) { transaction?._graph.survivor(of: $0) }
            }
            return observers
        }
    }

    /// Notifies an observer of every commit; the observer is not kept alive.
    func add(_ list: any CommitObserver) {
        if lists.count >= sweepListsAt {
            lists.removeAll { $0.observer == nil }
            sweepListsAt = max(64, lists.count * 2)
        }
        lists.append(Weak(observer: list))
    }

    /// Notifies an observer of the commits that change one object; the observer is not kept alive.
    func add(_ observer: any CommitObserver, of id: ObjectID) {
        if objects.count >= sweepAt {
            objects = objects.compactMapValues { list in
                let alive = list.filter { $0.observer != nil }
                return alive.isEmpty ? nil : alive
            }
            sweepAt = max(64, objects.count * 2)
        }
        objects[id, default: []].removeAll { $0.observer == nil }
        objects[id, default: []].append(Weak(observer: observer))
    }

    /// Returns the id of the surviving object; nil if the observed stack or transaction no longer exists.
    private typealias Survivor = (ObjectID) -> ObjectID?

    /// Refreshes the monitored objects of a transaction.
    private func refreshObjects(_ transaction: UnsafeDataTransaction?) {
        guard let graph = transaction?._graph, !objects.isEmpty else { return }
        let ids = objects.filter { $0.value.contains { $0.observer != nil } }.map(\.key)
        do throws(StorageError) {
            try graph.refreshUnchanged(ids)
        } catch {
            Diagnostics.log(
                CoreStoreError(storage: error), "Monitored objects could not be read again. They stay as they are.")
        }
    }

    private func tellFlush(_ source: Any?, _ touched: TouchedRelations, _ survivor: Survivor) {
        flushes += 1
        tell(CommitDigest(flush: flushes, source, touched: touched), survivor)
    }

    /// Moves the observers of merged objects to the surviving objects.
    ///
    /// An unknown commit comes from a flush of a transaction, or from a view queue that was too late to receive
    /// single commits. For such a commit, the method looks up the surviving object of every observed object.
    ///
    /// - Returns: the surviving objects that observers now follow, whether or not the commit changed them.
    private func followMerges(_ commit: CommitDigest, _ survivor: Survivor) -> [ObjectID] {
        guard !objects.isEmpty else { return [] }
        var followed: [ObjectID] = []
        for id in commit.isUnknown ? Array(objects.keys) : Array(commit.merges.keys) {
            guard let survivor = commit.merges[id] ?? survivor(id), survivor != id,
                let observers = objects.removeValue(forKey: id)
            else { continue }
            objects[survivor, default: []] += observers
            for each in observers { each.observer?.follow(survivor) }
            publishers.move(id, to: survivor)
            followed.append(survivor)
        }
        return followed
    }

    private func tell(_ commit: @autoclosure () -> CommitDigest, _ survivor: Survivor) {
        guard !lists.isEmpty || !objects.isEmpty else { return }
        let commit = commit()
        let followed = followMerges(commit, survivor)
        let affected = observers(of: commit, and: followed).filter { $0.prepare(commit) }
        for observer in affected { observer.announce(commit) }
        for observer in affected { observer.accept(commit) }
        for observer in affected { observer.deliver(commit) }
    }

    private func observers(of commit: CommitDigest, and others: [ObjectID]) -> [any CommitObserver] {
        var observers = lists.compactMap(\.observer)
        guard !objects.isEmpty else { return observers }
        guard !commit.isUnknown else { return observers + objects.values.joined().compactMap(\.observer) }
        var seen: Set<ObjectID> = []
        func add(_ id: ObjectID) {
            guard let watching = objects[id], seen.insert(id).inserted else { return }
            observers += watching.compactMap(\.observer)
        }
        for (storage, changes) in commit.changes {
            for key in changes.keys { add(ObjectID(storage: storage, key: key)) }
        }
        for id in commit.touched.byOwner.keys { add(id) }
        for id in others { add(id) }
        return observers
    }

    private func tellStoragesChange() {
        for list in lists { list.observer?.storagesDidChange() }
    }
}
