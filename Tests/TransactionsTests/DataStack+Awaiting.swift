import Coffer

extension DataStack {
    /// Runs an asynchronous transaction, and waits for its completion without keeping the main queue busy.
    @MainActor
    func outcome<T: Sendable>(
        sourceIdentifier: Any? = nil, _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> T
    ) async -> Result<T, CoreStoreError> {
        await withCheckedContinuation { continuation in
            perform(asynchronous: task, sourceIdentifier: sourceIdentifier) { continuation.resume(returning: $0) }
        }
    }
}

extension CoreStoreError {
    /// The error as the closure threw it.
    var thrown: (any Error)? {
        guard case .userError(let error) = self else { return nil }
        return error
    }
}

/// An error that the closures of the tests throw.
struct Refusal: Error, Equatable {
    var reason = "no"
}
