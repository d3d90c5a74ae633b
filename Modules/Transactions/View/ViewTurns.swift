import CofferStorage
import Dispatch
import Foundation

/// The queue of turns: limits the waiting turns to 64, the time a commit waits, and the age of snapshots.
///
/// If the view may notice a commit, the queue first takes snapshots of the stores that the commit changes. The view
/// reads from the snapshot of the first waiting commit, so that it shows no commit before its turn. See
/// `docs/decisions/0029-the-view-moves-in-turns.md`.
// Sendable: all state is accessed with the condition's lock held.
final class ViewTurns: @unchecked Sendable {
    /// How many turns wait at most.
    private static let turnLimit = 64
    /// The maximum number of seconds that a commit waits for the view queue.
    private static let timeLimit = 5.0
    /// The maximum number of seconds that a commit waits for a snapshot that the view is just beginning.
    private static let beginningLimit = 1.0
    /// The age in seconds and the number of waiting commits after which snapshots are dropped.
    private static let snapshotLimits = (age: 600.0, commits: 1_024)

    /// A commit in progress.
    private struct Commit {
        var snapshots: [ObjectIdentifier: any StorageReader]
        /// Whether the view must take the commit over.
        var isSeen: Bool
    }

    let condition = NSCondition()
    private var waiting: [Turn] = []
    private var commit: Commit?
    /// The number of reads of the view whose snapshots may not have begun yet.
    private var beginningReads = 0
    /// Whether the view has read, so that there may be live objects.
    private var isUsed = false
    private var isObserved = false
    /// The number of turns since the last read of the view.
    private var unusedTurns = 0
    private var lastTurn = 0
    private var numbers = (last: 0, shown: 0)
    /// The number of requested transactions that have not ended: all of them, and the view queue's own.
    private var transactions = (all: 0, own: 0)
    /// Whether a commit has waited for the view queue until its time limit, since the last turn.
    private var isLate = false
    /// Whether the snapshots were dropped since the last turn, because the view queue was too late.
    private var isStalled = false
    private var isWatched = false

    private func locked<Output>(_ body: () throws -> Output) rethrows -> Output {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// The number of the last commit.
    var lastCommit: Int { locked { numbers.last } }
    /// The number of the last commit that the view has taken over.
    var shownCommit: Int { locked { numbers.shown } }
    /// How many turns wait, and how many snapshots they hold.
    var backlog: (turns: Int, snapshots: Int, size: Int) {
        locked {
            (
                waiting.count, waiting.reduce(commit?.snapshots.count ?? 0) { $0 + $1.snapshots.count },
                waiting.reduce(0) { $0 + $1.parts.count + $1.size }
            )
        }
    }

    /// Makes the view take over every commit from now on.
    func observe() { locked { isObserved = true } }

    // MARK: Transactions

    /// Counts a requested transaction until ``leave(isOwn:)``.
    func enter(isOwn: Bool = false) {
        locked {
            transactions.all += 1
            if isOwn { transactions.own += 1 }
        }
    }

    /// Counts a transaction of the view queue, unless there are other transactions or waiting turns.
    func enterIfFree() -> Bool {
        locked {
            guard transactions.all == 0, waiting.isEmpty else { return false }
            transactions = (1, 1)
            return true
        }
    }

    func leave(isOwn: Bool = false) {
        locked {
            transactions.all -= 1
            if isOwn { transactions.own -= 1 }
        }
    }

    /// Waits for a turn or for a free place, and takes the free place.
    ///
    /// - Returns: whether the place was taken; nil if it was lost.
    func wait(for place: TransactionPlace) -> Bool? {
        locked {
            while waiting.isEmpty {
                switch place.state {
                case .free:
                    place.state = .taken
                    condition.broadcast()
                    return true
                case .lost: return nil
                case .queued, .taken, .left: condition.wait()
                }
            }
            return false
        }
    }

    // MARK: Commits

    /// Waits until the view queue has taken over enough of the waiting turns, for a limited time.
    ///
    /// - Parameter limit: how many turns may wait with snapshots.
    func waitForRoom(limit: Int) {
        guard limit > 0 else { return }
        locked {
            let deadline = Date(timeIntervalSinceNow: Self.timeLimit)
            while !isLate, !isStalled, waiting.count(where: { !$0.snapshots.isEmpty }) >= limit {
                if !condition.wait(until: deadline) { isLate = true }
            }
        }
    }

    /// Takes the snapshots that the view needs before a commit.
    ///
    /// The caller holds the commit lock, and calls ``end(_:_:isOnView:dispatch:)`` afterwards.
    ///
    /// - Parameters:
    ///   - isOnView: whether the view queue itself commits, and takes the commit over next.
    ///   - snapshot: returns a reader of the current state of a store.
    func begin(
        _ stores: [OpenStore], _ completion: TurnCompletion?, isOnView: Bool,
        snapshot: (OpenStore) -> (any StorageReader)?
    ) {
        let needsSnapshots = locked {
            let isSeen = isSeen(completion)
            // No code reads the view before the view queue takes over its own commit.
            if isOnView, waiting.isEmpty { return false }
            commit = Commit(snapshots: [:], isSeen: isSeen)
            return isSeen && !isStalled
        }
        guard needsSnapshots else { return }
        var snapshots: [ObjectIdentifier: any StorageReader] = [:]
        for store in stores where store.snapshotLimit > 0 { snapshots[ObjectIdentifier(store)] = snapshot(store) }
        locked {
            commit?.snapshots = snapshots
            guard beginningReads > 0, !isOnView else { return }
            let deadline = Date(timeIntervalSinceNow: Self.beginningLimit)
            while beginningReads > 0, condition.wait(until: deadline) {}
        }
    }

    /// Records the result of a commit, in commit order; the record is nil if nothing was committed.
    ///
    /// - Parameters:
    ///   - limit: how many turns may wait with snapshots.
    ///   - isOnView: whether the view queue takes the turn by itself.
    ///   - dispatch: schedules the turn with a number on the view queue.
    /// - Returns: the number of the turn; nil if the view has nothing to do.
    func end(
        _ record: CommitRecord?, _ completion: TurnCompletion?, limit: Int = OpenStore.snapshotMaximum, isOnView: Bool,
        dispatch: (Int) -> Void
    ) -> Int? {
        // The view may be reading from a snapshot, which ends with its last reference.
        var unused: [any StorageReader] = []
        defer {
            unused.removeAll()
            if locked({ isOverdue }) { dropSnapshots() }
        }
        return locked {
            let isSeen = isSeen(completion)
            let snapshots = commit.take()?.snapshots ?? [:]
            condition.broadcast()
            var part = Turn.Part(record: record, completion: completion?.call)
            if record != nil {
                numbers.last += 1
                part.record?.number = numbers.last
            }
            guard isSeen, record != nil || completion != nil else {
                if waiting.isEmpty { numbers.shown = numbers.last }
                unused = Array(snapshots.values)
                return nil
            }
            if let last = waiting.indices.last, mustJoin(record, limit) {
                waiting[last].append(part)
                for (store, reader) in snapshots {
                    if waiting[last].snapshots[store] == nil, !isStalled {
                        waiting[last].snapshots[store] = reader
                    } else {
                        unused.append(reader)
                    }
                }
                return waiting[last].id
            }
            lastTurn += 1
            var turn = Turn(lastTurn, part)
            turn.snapshots = snapshots
            waiting.append(turn)
            if !snapshots.isEmpty { watch() }
            if !isOnView { dispatch(lastTurn) }
            return lastTurn
        }
    }

    private func isSeen(_ completion: TurnCompletion?) -> Bool {
        isUsed || isObserved || completion?.isRequired == true || !waiting.isEmpty
    }

    /// Whether so many commits wait that their snapshots prevent the stores from cleaning up.
    private var isOverdue: Bool {
        numbers.last - numbers.shown > Self.snapshotLimits.commits && !isStalled && !waiting.isEmpty
    }

    private func mustJoin(_ record: CommitRecord?, _ limit: Int) -> Bool {
        if isStalled || waiting.count >= Self.turnLimit { return true }
        return record != nil && limit > 0 && waiting.count(where: { !$0.snapshots.isEmpty }) >= limit
    }

    // MARK: Turns

    /// Removes and returns the next turn up to a number; nil if no such turn waits.
    func next(through id: Int?) -> Turn? {
        locked {
            guard let first = waiting.first, first.id <= id ?? .max else { return nil }
            waiting.removeFirst()
            numbers.shown = first.lastCommit ?? numbers.shown
            unusedTurns += 1
            (isLate, isStalled) = (false, false)
            condition.broadcast()
            return first
        }
    }

    /// Whether the view was not read for many turns, so that the stack must check whether there are live objects.
    var isDoubtful: Bool { locked { unusedTurns >= 64 && isUsed && !isObserved } }

    /// Records, between two turns, whether there are live objects.
    func setUsed(_ isUsed: Bool) {
        locked {
            unusedTurns = 0
            if waiting.isEmpty { self.isUsed = isUsed }
        }
    }

    // MARK: Reading

    /// The source from which the view reads a store.
    enum Source {
        case snapshot(any StorageReader)
        /// The current state of the store.
        ///
        /// If it is urgent, a commit may follow, and the snapshot must begin before this commit.
        case current(isUrgent: Bool)
    }

    /// Returns the source from which the view reads a store.
    ///
    /// If this is the current state, the caller calls ``endBeginning()`` after the snapshot has begun.
    func source(_ store: OpenStore) -> Source {
        locked {
            isUsed = true
            unusedTurns = 0
            // The first read of the view happens during a commit that took no snapshots for the view.
            if commit?.isSeen == false {
                let deadline = Date(timeIntervalSinceNow: Self.timeLimit)
                while commit?.isSeen == false, condition.wait(until: deadline) {}
            }
            let key = ObjectIdentifier(store)
            for turn in waiting { if let reader = turn.snapshots[key] { return .snapshot(reader) } }
            if let reader = commit?.snapshots[key] { return .snapshot(reader) }
            beginningReads += 1
            return .current(isUrgent: transactions.all > transactions.own)
        }
    }

    func endBeginning() {
        locked {
            beginningReads -= 1
            if beginningReads == 0 { condition.broadcast() }
        }
    }

    // MARK: Dropping snapshots

    /// Drops all snapshots, and joins the waiting turns.
    ///
    /// The view shows the current state of the stores until it has taken over the joined turn.
    func dropSnapshots() {
        let dropped: [any StorageReader] = locked {
            guard var first = waiting.first else { return [] }
            isStalled = true
            var dropped = Array(first.snapshots.values)
            first.snapshots = [:]
            for turn in waiting.dropFirst() {
                dropped += turn.snapshots.values
                first.append(turn)
            }
            waiting = [first]
            condition.broadcast()
            return dropped
        }
        // The view may be reading from a snapshot, which ends with its last reference.
        withExtendedLifetime(dropped) {}
    }

    /// Checks, while there are snapshots, whether one of them is too old.
    private func watch() {
        guard !isWatched else { return }
        isWatched = true
        let first = waiting.first?.id
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.snapshotLimits.age) { [weak self] in
            self?.expire(first)
        }
    }

    private func expire(_ id: Int?) {
        let isTooOld = locked {
            isWatched = false
            guard waiting.contains(where: { !$0.snapshots.isEmpty }) else { return false }
            if waiting.first?.id == id { return true }
            watch()
            return false
        }
        if isTooOld { dropSnapshots() }
    }
}
