public import CofferSchema

/// The transaction of `DataStack.perform(asynchronous:)`.
///
/// Used only inside the closure, on its queue.
public final class AsynchronousDataTransaction: BaseDataTransaction {
    /// What became of a transaction.
    public typealias Result<UserInfoType> = Swift.Result<UserInfoType, CoreStoreError>

    override init(_ stack: DataStack, _ options: TransactionOptions, sourceIdentifier: Any?) {
        super.init(stack, options, sourceIdentifier: sourceIdentifier)
    }

    /// Discards every change and ends the transaction with ``CoreStoreError/userCancelled``: `try transaction.cancel()`.
    public func cancel() throws(CoreStoreError) -> Never {
        throw .userCancelled
    }

    /// - Returns: nil when the closure should be run again.
    func run<T>(
        _ task: (AsynchronousDataTransaction) throws -> T, repetitions: Int
    ) -> Swift.Result<T, CoreStoreError>? {
        run(repetitions: repetitions) { try task(self) }
    }
}
