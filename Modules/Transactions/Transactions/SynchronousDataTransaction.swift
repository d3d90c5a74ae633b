public import CofferSchema
import CofferStorage

/// The transaction of `DataStack.perform(synchronous:)`.
///
/// Used only inside the closure, on its thread.
public final class SynchronousDataTransaction: BaseDataTransaction {
    override init(_ stack: DataStack, _ options: TransactionOptions, sourceIdentifier: Any?) {
        super.init(stack, options, sourceIdentifier: sourceIdentifier)
    }

    /// Discards every change and ends the transaction with ``CoreStoreError/userCancelled``: `try transaction.cancel()`.
    public func cancel() throws(CoreStoreError) -> Never {
        throw .userCancelled
    }

    /// - Returns: nil when the closure should be run again.
    func run<T>(
        _ task: (SynchronousDataTransaction) throws -> T, repetitions: Int
    ) -> Result<T, CoreStoreError>? {
        run(repetitions: repetitions) { try task(self) }
    }
}
