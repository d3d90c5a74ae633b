import CofferStorage
import Dispatch
import Foundation

/// The queue of turns: limits the waiting turns to 64, the time a commit waits, and the age of snapshots.
///
/// A commit that the view may notice is preceded by a snapshot of the stores that it changes. The view reads from the
/// snapshot of the first commit that waits, so that it shows no commit whose turn has not come. See
/// `docs/decisions/0029-the-view-moves-in-turns.md`.
// Sendable: everything is touched with the condition's lock held.
final class ViewTurns: @unchecked Sendable {
    /// How many turns wait at most.
    private static let turnLimit = 64
    /// The seconds that a commit waits for the view queue at most; it never waits for good.
    private static let timeLimit = 5.0
    /// The seconds that a commit waits at most for a snapshot that the view is just beginning.
    private static let beginningLimit = 1.0
    /// The seconds after which a snapshot is given up, and the commits that may wait meanwhile.
    private static let snapshotLimits = (age: 600.0, commits: 1_024)

    /// What is under way: a commit that is being made.
    private struct Commit {
        var snapshots: [ObjectIdentifier: any StorageReader]
        /// Whether the view is to take it over.
        var isSeen: Bool
    }

    let condition = NSCondition()
    private var waiting: [Turn] = []
    private var commit: Commit?
    /// Reads of the view whose snapshot may not have begun.
    private var beginningReads = 0
    /// Whether the view has read, so that there may be live objects.
    private var isUsed = false
    private var isObserved = false
    /// How many turns have passed since the view read last.
    private var unusedTurns = 0
    private var lastTurn = 0
    private var numbers = (last: 0, shown: 0)
    /// Transactions that were asked for and have not ended, and those of them that the view queue runs itself.
    private var transactions = (all: 0, own: 0)
    /// Whether the view queue has let a commit wait in vain, since the last turn.
    private var isLate = false
    /// Whether the view queue was so late that its snapshots were given up, since the last turn.
    private var isStalled = false
    private var isWatched = false

    private func locked<Output>(_ body: () throws -> Output) rethrows -> Output {
        condition.lock()
        defer { condition.unlock() }
        return try body()
    }

    /// The number of the last commit of all.
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

    /// Counts a transaction that was asked for, until ``leave(isOwn:)``.
    func enter(isOwn: Bool = false) {
        locked {
            transactions.all += 1
            if isOwn { transactions.own += 1 }
        }
    }

    /// Counts a transaction of the view queue, unless there are others or turns wait.
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

    /// Waits until there is a turn, or the place is free, which is then taken.
    ///
    /// - Returns: whether the place was taken; nil when it was lost.
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

    /// Waits until the view queue has taken over enough of what waits; not for good.
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

    /// Takes the snapshots that the view needs when a commit is made.
    ///
    /// Called with the lock of commits held; ``end(_:_:isOnView:dispatch:)`` follows.
    ///
    /// - Parameters:
    ///   - isOnView: whether the view queue makes the commit itself, and takes it over next.
    ///   - snapshot: a reader that shows the state of a store as it is now.
    func begin(
        _ stores: [OpenStore], _ completion: TurnCompletion?, isOnView: Bool,
        snapshot: (OpenStore) -> (any StorageReader)?
    ) {
        let needsSnapshots = locked {
            let isSeen = isSeen(completion)
            // Nobody reads the view before the view queue takes over its own commit.
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

    /// Notes a commit that was made, in commit order, or that none was made.
    ///
    /// - Parameters:
    ///   - limit: how many turns may wait with snapshots.
    ///   - isOnView: whether the view queue takes the turn by itself.
    ///   - dispatch: sees to it that the view queue takes the turn with a number.
    /// - Returns: the number of the turn; nil when there is nothing for the view to do.
    func end(
        _ record: CommitRecord?, _ completion: TurnCompletion?, limit: Int = OpenStore.snapshotMaximum, isOnView: Bool,
        dispatch: (Int) -> Void
    ) -> Int? {
        // The view may be reading one of them: they end with their last reference.
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

    /// Whether so many commits wait that their snapshots keep the stores from clearing up.
    private var isOverdue: Bool {
        numbers.last - numbers.shown > Self.snapshotLimits.commits && !isStalled && !waiting.isEmpty
    }

    private func mustJoin(_ record: CommitRecord?, _ limit: Int) -> Bool {
        if isStalled || waiting.count >= Self.turnLimit { return true }
        return record != nil && limit > 0 && waiting.count(where: { !$0.snapshots.isEmpty }) >= limit
    }

    // MARK: Turns

    /// The next turn up to a number, for the view queue to take over; nil when none waits.
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

    /// Whether the view has not been read for many turns, so that it is time to look for live objects.
    var isDoubtful: Bool { locked { unusedTurns >= 64 && isUsed && !isObserved } }

    /// Notes, between two turns, that there are no live objects, or that there are.
    func setUsed(_ isUsed: Bool) {
        locked {
            unusedTurns = 0
            if waiting.isEmpty { self.isUsed = isUsed }
        }
    }

    // MARK: Reading

    /// Where the view reads.
    enum Source {
        case snapshot(any StorageReader)
        /// What the store has now; a commit may be imminent, before which the snapshot must have begun.
        case current(isUrgent: Bool)
    }

    /// Where the view reads a store.
    ///
    /// Where it is the current state, ``endBeginning()`` follows once the snapshot has begun.
    func source(_ store: OpenStore) -> Source {
        locked {
            isUsed = true
            unusedTurns = 0
            // The view is read for the first time just while a commit is made that was none of its business.
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

    // MARK: Giving up

    /// Gives up all snapshots: the view shows what the stores have until it has taken over what waits, in one turn.
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
        // The view may be reading one of them: they end with their last reference.
        withExtendedLifetime(dropped) {}
    }

    /// Looks, as long as snapshots are kept, whether one has become too old.
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
