import CofferStorage
import Dispatch
package import Foundation

/// The observable and cancellable `Progress` of a migration: 100 units for each step, and the error of a cancellation.
///
/// It changes on the queue of its observer, because `Progress` is not designed for several threads.
// Sendable: the children are used only on the queue; locks guard the values that several threads use.
package final class ObservedProgress: Progress, @unchecked Sendable {
    private let queue: DispatchQueue
    private let steps: [Progress]
    private let isStopped = Locked(false)
    private let shown = Locked(MigrationReport(step: 0, fraction: 0))
    private let lockedHandler = Locked<((Progress) -> Void)?>(nil)

    var handler: ((Progress) -> Void)? {
        get { lockedHandler.withLock(\.self) }
        set { lockedHandler.withLock { $0 = newValue } }
    }

    private static let cancelled = StorageError(.failed, "The migration was cancelled. The store is unchanged.")

    init(stepCount: Int, queue: DispatchQueue) {
        self.queue = queue
        steps = (0..<stepCount).map { _ in .discreteProgress(totalUnitCount: 100) }
        super.init(parent: nil)
        totalUnitCount = Int64(stepCount)
        for step in steps { addChild(step, withPendingUnitCount: 1) }
        isCancellable = true
        cancellationHandler = { [isStopped] in isStopped.withLock { $0 = true } }
    }

    // The handler above, which the cancellation of a parent also calls, may be called later, on another thread.
    package override func cancel() {
        isStopped.withLock { $0 = true }
        super.cancel()
    }

    /// Reports the progress of the migration, once for each hundredth.
    ///
    /// - Throws: an error if the progress was cancelled, and no other error.
    func report(_ report: MigrationReport) throws(StorageError) {
        if isStopped.withLock(\.self) { throw Self.cancelled }
        let rounded = MigrationReport(step: report.step, fraction: (report.fraction * 100).rounded(.down))
        let isNew = shown.withLock { shown in
            defer { shown = rounded }
            return shown != rounded
        }
        guard isNew else { return }
        queue.async { [self] in
            // A run that is planned again may have more steps than the first plan.
            if steps.indices.contains(rounded.step) {
                steps[rounded.step].completedUnitCount = Int64(rounded.fraction)
            }
            handler?(self)
        }
    }
}
