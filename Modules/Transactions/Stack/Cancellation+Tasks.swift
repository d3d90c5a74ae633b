import CofferSchema

/// Cancels an operation when the current task is cancelled.
extension Cancellation {
    /// Waits for an operation, and cancels it when the current task is cancelled.
    static func awaiting<Output>(
        _ begin: (Cancellation, @escaping (Result<Output, CoreStoreError>) -> Void) -> Void
    ) async throws -> Output {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<UnsafeTransfer<Result<Output, CoreStoreError>>, Never>) in
                begin(cancellation) { continuation.resume(returning: UnsafeTransfer($0)) }
            }
        } onCancel: {
            cancellation.cancel()
        }.value.get()
    }
}
