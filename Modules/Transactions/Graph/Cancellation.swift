import CofferSchema
import CofferStorage
import Dispatch

/// Ends what a transaction or a read waits for when nobody wants its result any more.
final class Cancellation: Sendable {
    private struct State {
        var isCancelled = false
        var end: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the statement that is running, and refuses those to come.
    func cancel() {
        // With the lock held, so that the statement's connection is not given to others meanwhile.
        state.withLock { state in
            state.isCancelled = true
            state.end?()
        }
    }

    /// Runs the body, whose statements on a reader are ended when this is cancelled.
    func during<Result>(
        _ reader: any StorageReader, _ body: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        let canceller = try (reader as? any CancellableReader)?.makeCanceller()
        let (isCancelled, previous) = state.withLock { state in
            defer { state.end = canceller ?? state.end }
            return (state.isCancelled, state.end)
        }
        defer { state.withLock { $0.end = previous } }
        guard !isCancelled else { throw StorageError(.failed, "The task that wanted to read was cancelled.") }
        return try body()
    }

    /// Waits for what is begun, and cancels it, on another thread, when the current task is cancelled.
    static func awaiting<Output>(
        in stack: DataStack,
        _ begin: (Cancellation, @escaping (Swift.Result<Output, CoreStoreError>) -> Void) -> Void
    ) async throws -> Output {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Handover<Swift.Result<Output, CoreStoreError>>, Never>) in
                begin(cancellation) { continuation.resume(returning: Handover($0)) }
            }
        } onCancel: {
            // Serial queues have threads of their own: it waits neither for what it ends nor for other cancelling.
            DispatchQueue(label: "coffer.cancelling").async { cancellation.cancel() }
        }.value.get()
    }
}
