import CofferStorage
import Dispatch

/// Runs up to 64 background reads at the same time, in the order of their calls.
///
/// Outside Darwin, a concurrent queue would take its threads from the pool of Swift's tasks, and leave no threads for
/// them. Serial queues have threads of their own.
final class ReadQueue: Sendable {
    private struct State {
        var runningCount = 0
        var waiting: [@Sendable () -> Void] = []
        /// The number of closures in `waiting` that were taken.
        var taken = 0
    }

    /// The maximum number of simultaneous reads.
    private static let limit = 64
    private let state = Locked(State())

    func async(execute read: @escaping @Sendable () -> Void) {
        let hasPlace = state.withLock { state in
            guard state.runningCount < Self.limit else {
                state.waiting.append(read)
                return false
            }
            state.runningCount += 1
            return true
        }
        guard hasPlace else { return }
        DispatchQueue(label: "coffer.reading").async { [self] in
            read()
            while let next = next() { next() }
        }
    }

    /// Returns the read that has waited longest; if no read waits, frees a place and returns nil.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.taken < state.waiting.count else {
                state = State(runningCount: state.runningCount - 1)
                return nil
            }
            let next = state.waiting[state.taken]
            // The list must not retain the captured objects of the closure after its run.
            state.waiting[state.taken] = {}
            state.taken += 1
            if state.taken > 1024, state.taken > state.waiting.count / 2 {
                state.waiting.removeFirst(state.taken)
                state.taken = 0
            }
            return next
        }
    }
}
