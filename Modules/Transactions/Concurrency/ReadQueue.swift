import CofferStorage
import Dispatch

/// Runs up to 64 background reads at the same time, in the order of their calls.
///
/// A concurrent queue would take its threads from the pool that Swift's tasks run on where there is no Darwin, and leave
/// them none. Serial queues have threads of their own.
final class ReadQueue: Sendable {
    private struct State {
        var runningCount = 0
        var waiting: [@Sendable () -> Void] = []
        /// How many of those that waited are taken.
        var taken = 0
    }

    /// Reads at a time, at most.
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

    /// What has waited longest; nil, and one place more, when nothing waits.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard state.taken < state.waiting.count else {
                state = State(runningCount: state.runningCount - 1)
                return nil
            }
            let next = state.waiting[state.taken]
            // What it holds on to lives no longer than it runs.
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
