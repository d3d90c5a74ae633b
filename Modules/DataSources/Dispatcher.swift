import CofferObservation
import CofferSchema
import CofferStorage
import CofferTransactions
import Foundation

/// Decides between animated batches and a reload of a view, and applies one snapshot after the other.
///
/// The shown list and the adapter's answers change together, in a batch or a reload. One snapshot is applied at a time.
/// If other snapshots arrive in the meantime, the last one of them is applied next.
@MainActor
final class Dispatcher<O: DynamicObject, T: DiffableDataSourceTarget> {
    /// A snapshot that waits to be applied.
    private struct Request {
        let snapshot: ListSnapshot<O>
        let animated: Bool
        /// The completions of this snapshot and of the snapshots that it replaced.
        let completions: [() -> Void]

        func end() { for completion in completions { completion() } }
    }

    /// The state of the target.
    private enum Knowledge {
        /// The target was never reloaded, and has requested no data.
        case none
        /// The target was reloaded, and has requested no data since.
        ///
        /// While the target is not on screen, another reload is not needed.
        case outdated
        /// The target has requested data; changes can be animated.
        case shown
    }

    /// The list that the target shows.
    private var shown: ListSnapshot<O>
    private let target: T
    private var waiting: Request?
    private var isApplying = false
    /// The number of current calls of the data source that run code of the program.
    private var answers = 0
    private var knowledge = Knowledge.none

    init(_ target: T, _ shown: ListSnapshot<O>) {
        self.target = target
        self.shown = shown
    }

    /// The list that the target shows; a read records that the target has requested data.
    var answered: ListSnapshot<O> {
        knowledge = .shown
        return shown
    }

    /// Runs code of the program that answers the target, such as the creation of a cell.
    ///
    /// A view must not be changed while it waits for an answer. A snapshot that arrives in the meantime is applied
    /// later, in a separate block on the main queue.
    func answering<Answer>(_ body: () -> Answer) -> Answer {
        answers += 1
        defer {
            answers -= 1
            if waiting != nil { DispatchQueue.main.async { MainActor.assumeIsolated { self.applyWaiting() } } }
        }
        return body()
    }

    func apply(_ snapshot: ListSnapshot<O>, animated: Bool, completion: @escaping () -> Void) {
        var (snapshot, completions) = (snapshot, [completion])
        if let replaced = waiting {
            completions = replaced.completions + completions
            // Only the snapshot of a commit records which related objects the commit changed.
            let updated = replaced.snapshot.updatedItemIdentifiers.subtracting(snapshot.updatedItemIdentifiers)
            if !updated.isEmpty { snapshot.reloadItems(withIDs: updated) }
        }
        waiting = Request(snapshot: snapshot, animated: animated, completions: completions)
        applyWaiting()
    }

    private func applyWaiting() {
        guard !isApplying, answers == 0 else { return }
        isApplying = true
        defer { isApplying = false }
        while let request = waiting {
            waiting = nil
            let isSuspended = target.shouldSuspendBatchUpdates
            if !isSuspended, knowledge == .shown {
                performBatches(request)
            } else {
                shown = request.snapshot
                if !isSuspended || knowledge != .outdated { reloadTarget() }
                request.end()
            }
        }
    }

    private func reloadTarget() {
        // The target may request data immediately.
        knowledge = .outdated
        target.reloadData()
    }

    private func performBatches(_ request: Request) {
        let stages = request.snapshot.difference(from: shown).stages
        // Reloads are the last stage, and do not change positions.
        let lastChange = stages.lastIndex { $0.itemReloads.isEmpty }
        let countdown = Countdown(stages.count, request.completions)
        for (index, stage) in stages.enumerated() {
            let batch = Batch { [self] in
                if index < lastChange ?? 0 { shown.apply(stage) } else { shown = request.snapshot }
                tell(stage, animated: request.animated)
            }
            target.performBatchUpdates(
                updates: { MainActor.assumeIsolated { batch.run() } }, animated: request.animated,
                completion: { MainActor.assumeIsolated { countdown.count() } })
            guard batch.hasRun else {
                batch.cancel()
                shown = request.snapshot
                reloadTarget()
                return countdown.end()
            }
        }
        shown = request.snapshot
        if stages.isEmpty { countdown.end() }
    }

    private func tell(_ stage: ListDifference.Stage, animated: Bool) {
        if !stage.sectionDeletions.isEmpty {
            target.deleteSections(at: IndexSet(stage.sectionDeletions), animated: animated)
        }
        if !stage.sectionInsertions.isEmpty {
            target.insertSections(at: IndexSet(stage.sectionInsertions.map(\.index)), animated: animated)
        }
        for move in stage.sectionMoves { target.moveSection(at: move.from, to: move.to, animated: animated) }
        if !stage.itemDeletions.isEmpty { target.deleteItems(at: stage.itemDeletions, animated: animated) }
        if !stage.itemInsertions.isEmpty {
            target.insertItems(at: stage.itemInsertions.map(\.indexPath), animated: animated)
        }
        for move in stage.itemMoves { target.moveItem(at: move.from, to: move.to, animated: animated) }
        if !stage.itemReloads.isEmpty { target.reloadItems(at: stage.itemReloads, animated: animated) }
    }
}

/// The changes of one batch, which run at most once.
@MainActor
private final class Batch {
    private var body: (() -> Void)?
    private(set) var hasRun = false

    init(_ body: @escaping () -> Void) { self.body = body }

    func run() {
        guard let body else { return }
        (self.body, hasRun) = (nil, true)
        body()
    }

    func cancel() { body = nil }
}

/// Calls completions when a number of batches has ended.
@MainActor
private final class Countdown {
    private var rest: Int
    private var completions: [() -> Void]

    init(_ count: Int, _ completions: [() -> Void]) {
        rest = count
        self.completions = completions
    }

    func count() {
        rest -= 1
        if rest == 0 { end() }
    }

    func end() {
        let ended = completions
        completions = []
        for completion in ended { completion() }
    }
}
