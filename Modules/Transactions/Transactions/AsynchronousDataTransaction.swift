public import CofferSchema

/// The transaction of `DataStack.perform(asynchronous:)`.
///
/// Used only inside the closure, on its queue.
public final class AsynchronousDataTransaction: BaseDataTransaction {
    /// What became of a transaction.
    public typealias Result<UserInfoType> = Swift.Result<UserInfoType, CoreStoreError>

    init(_ stack: DataStack, sourceIdentifier: Any?) {
        super.init(stack, .ofTransaction(stack), sourceIdentifier: sourceIdentifier)
    }

    /// Discards every change and ends the transaction with ``CoreStoreError/userCancelled``: `try transaction.cancel()`.
    public func cancel() throws(CoreStoreError) -> Never {
        throw .userCancelled
    }

    func run<T>(_ task: (AsynchronousDataTransaction) throws -> T) -> Result<T> {
        run { try task(self) }
    }
}
