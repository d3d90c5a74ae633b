import Dispatch
import Foundation

/// Orders transactions and commits, hands commits to the turns of the view queue, and waits for a turn.
extension DataStack: CommitPublisher {
    /// Runs the closure as the next transaction.
    ///
    /// A caller on the view queue keeps the use of the view in the meantime, and first takes the due turns.
    func inTransaction<Output>(_ body: () throws -> Output) rethrows -> Output {
        if isOnViewQueue { return try view.inTransaction(on: writer) { try writing.holding(body) } }
        view.turns.enter()
        defer { view.turns.leave() }
        return try writer.sync { try writing.holding(body) }
    }

    /// Takes the due turns if the current code runs on the view queue.
    ///
    /// A task that has waited for a transaction may continue before its turn on the queue.
    package func takeTurnsIfOnViewQueue() {
        if isOnViewQueue { view.takeOver() }
    }

    /// Takes the due turns on the view queue, as a nested run loop does.
    package func letTurnsRun() { view.takeOver() }

    /// The number of turns that wait for the view queue, the snapshots that they hold, and the size of their commits.
    package var backlog: (turns: Int, snapshots: Int, size: Int) { view.turns.backlog }

    /// Releases the snapshots that the view reads while commits wait, as it does when the snapshots become too old.
    package func dropSnapshots() { view.turns.dropSnapshots() }

    /// Calls the closure in its own turn, after the turns of all commits so far.
    func callInTurn(_ completion: @escaping () -> Void) {
        commitLock.lock()
        defer { commitLock.unlock() }
        let completion = TurnCompletion(isRequired: true, call: completion)
        _ = view.turns.end(nil, completion, isOnView: false) { dispatch($0, isRequired: true) }
    }

    /// Waits until the view queue has taken over enough commits.
    ///
    /// The wait is before a commit that the view queue will follow, and has a time limit.
    func waitForRoom(_ completion: TurnCompletion?) {
        guard completion != nil, !isOnViewQueue else { return }
        view.turns.waitForRoom(limit: stores.stores.map(\.snapshotLimit).min() ?? 0)
    }

    /// Prepares the view for a commit to some stores.
    func beginTurn(_ stores: [OpenStore], _ completion: TurnCompletion?) {
        view.turns.begin(stores, completion, isOnView: isOnViewQueue) { view.graph.state.readers.snapshot(of: $0) }
    }

    /// Passes a commit to the view, or reports to it that there was no commit.
    ///
    /// - Returns: the turn; nil if the view has nothing to take over.
    func endTurn(_ stores: [OpenStore], _ record: CommitRecord, _ completion: TurnCompletion?) -> Int? {
        let limit = stores.map(\.snapshotLimit).min() ?? 0
        let record = record.isEmpty ? nil : record
        return view.turns.end(
            record, record == nil ? nil : completion, limit: limit, isOnView: isOnViewQueue
        ) { dispatch($0, isRequired: completion?.isRequired == true) }
    }

    /// Adds a commit to the logs of the other transactions.
    func tellRelations(_ part: CommitRecord.InStore, of context: ObjectIdentifier) {
        relationLogs.add(part, of: context)
    }

    /// Schedules a turn on the view queue.
    ///
    /// - Parameter isRequired: whether the stack must exist until the turn.
    private func dispatch(_ turn: Int, isRequired: Bool) {
        let held = isRequired ? self : nil
        viewQueue.async { [weak self] in
            self?.view.takeTurn(turn)
            withExtendedLifetime(held) {}
        }
    }
}

/// Waits for the turn of a transaction, while a thread waits for this transaction.
struct TurnWaiter {
    private let stack: DataStack
    private let waits: Bool
    private let isOnView: Bool
    private let done: DispatchSemaphore?
    private var turn: Int?

    /// - Parameter waits: whether the wait includes the calls of the observers.
    init(_ stack: DataStack, waits: Bool) {
        self.stack = stack
        self.waits = waits
        isOnView = stack.isOnViewQueue
        // A transaction must not wait for the view queue, which may itself wait for the transaction.
        done = waits && !isOnView && !stack.isInTransaction ? DispatchSemaphore(value: 0) : nil
    }

    /// Runs the transaction.
    mutating func observing<Output>(_ transaction: BaseDataTransaction, _ body: () -> Output) -> Output {
        transaction.turn = nil
        if let done { transaction.completion = TurnCompletion(isRequired: false) { done.signal() } }
        defer {
            transaction.completion = nil
            turn = transaction.turn
        }
        return body()
    }

    func wait() {
        guard let turn else { return }
        guard isOnView else {
            done?.wait()
            return
        }
        stack.view.takeOver(through: turn, tells: waits)
        guard !waits else { return }
        stack.viewQueue.async { [weak stack] in stack?.view.tell() }
    }
}
