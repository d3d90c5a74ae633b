import CofferSchema
import CofferStorage
import Dispatch

/// The view of a data stack: takes turns, updates the live objects, and then calls observers and completions.
///
/// Only the view queue uses it, except for ``turns`` and the list of hooks.
// Sendable: only the view queue accesses the graph and the unreported commits; the rest has its own locks.
final class StackView: @unchecked Sendable {
    let graph: ObjectGraph
    let turns = ViewTurns()
    private let holder: QueueOwnership
    private let hooks = Locked<[@Sendable (CommitRecord) -> Void]>([])
    /// The commits that the view took over, but did not yet report to the hooks.
    private var untold: [Turn.Part] = []
    private var isTelling = false
    /// The place for which a transaction of the view queue waits.
    private var place: TransactionPlace?

    init(_ binding: SchemaBinding, _ stores: StackStores, _ queue: DispatchQueue) {
        let holder = QueueOwnership.of(queue)
        self.holder = holder
        let state = ContextState(binding, stores, isEditable: false, keepsSnapshot: false)
        state.readers.turns = turns
        state.isAccessAllowed = { holder.isCurrent }
        graph = ObjectGraph(state)
    }

    /// Whether the current code runs on the view queue, or in a transaction that the view queue waits for.
    var isCurrent: Bool { holder.isCurrent }

    /// Calls the closure on the view queue with each commit, after the view took it over.
    func onCommit(_ hook: @escaping @Sendable (CommitRecord) -> Void) {
        hooks.withLock { $0.append(hook) }
        turns.observe()
    }

    /// Disconnects the live objects from the stack.
    func close() {
        turns.dropSnapshots()
        graph.state.close()
    }

    // MARK: Turns

    /// Takes a turn that was scheduled on the view queue.
    func takeTurn(_ id: Int) {
        takeOver(through: id)
        // Between two turns, only the program retains objects.
        guard turns.isDoubtful, !isTelling else { return }
        graph.state.identities.sweep()
        turns.setUsed(graph.state.identities.hasObjects)
    }

    /// Takes the due turns, one after the other, and reports them to the hooks.
    ///
    /// - Parameters:
    ///   - id: the last turn to take; nil for all.
    ///   - tells: whether the hooks are called at once for that turn.
    func takeOver(through id: Int? = nil, tells: Bool = true) {
        tell()
        while let turn = turns.next(through: id) {
            for case let record? in turn.parts.map(\.record) { CommitFollower(state: graph.state).takeOver(record) }
            graph.state.readers.endReads(of: turn.snapshots.values)
            untold += turn.parts
            if tells || turn.id != id { tell() }
        }
    }

    /// Whether there are hooks.
    var isObserved: Bool { hooks.withLock { !$0.isEmpty } }

    /// Reports to the hooks that any live object may have other values, because the objects were read again.
    ///
    /// - Parameter changed: the loaded relationships with other related objects than before.
    func tellRefresh(_ changed: TouchedRelations) {
        guard isObserved else { return }
        var record = CommitRecord(sourceIdentifier: SourceIdentifier(value: nil))
        record.number = turns.shownCommit
        record.isUnknown = true
        record.touched = changed
        untold.append(Turn.Part(record: record))
        tell()
    }

    /// Reports the commits that were taken over to the hooks, and calls completions.
    ///
    /// If a hook commits, the view takes over this commit at once, and reports it afterwards.
    func tell() {
        guard !isTelling else { return }
        while !untold.isEmpty {
            let part = untold.removeFirst()
            if let record = part.record {
                isTelling = true
                for hook in hooks.withLock({ $0 }) { hook(record) }
                isTelling = false
            }
            part.completion?()
        }
    }

    // MARK: Transactions

    /// Runs the closure on the view queue as the next transaction; the view first takes the due turns.
    func inTransaction<Output>(on writer: DispatchQueue, _ body: () throws -> Output) rethrows -> Output {
        takeOver()
        if place == nil, turns.enterIfFree() {
            defer { turns.leave(isOwn: true) }
            return try holder.holding { try writer.sync(execute: body) }
        }
        turns.enter(isOwn: true)
        defer { turns.leave(isOwn: true) }
        // A completion that is called while a transaction waits may run another transaction, which comes first.
        let isOuter = place == nil
        let taken = takePlace(on: writer)
        defer {
            taken.leave(isLast: isOuter)
            if isOuter { place = nil }
        }
        return try body()
    }

    private func takePlace(on writer: DispatchQueue) -> TransactionPlace {
        while true {
            takeOver()
            let queued = place ?? TransactionPlace(turns.condition)
            if place == nil {
                place = queued
                writer.async { queued.hold() }
            }
            switch turns.wait(for: queued) {
            case true?: return queued
            case false?: continue
            case nil: place = nil
            }
        }
    }
}
