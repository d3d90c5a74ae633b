import CofferSchema
import CofferStorage
import Dispatch

extension DataStack {
    /// The stack's operations as `async` functions.
    public var async: AsyncNamespace { AsyncNamespace(base: self) }

    /// Operations of a data stack as `async` functions.
    ///
    /// None of them blocks a thread of Swift's pool.
    public struct AsyncNamespace: Sendable {
        /// The data stack.
        public let base: DataStack
    }
}

extension DataStack.AsyncNamespace {
    /// Runs a transaction on the stack's own queue and saves it when the closure returns.
    ///
    /// ```swift
    /// try await stack.async.perform { transaction in
    ///     transaction.create(Into<Person>()).name = "Ann"
    /// }
    /// ```
    ///
    /// - Returns: what the closure returned, once it is saved. The view queue is not waited for; what runs on it from
    ///   then on shows the changes.
    /// - Throws: ``CoreStoreError``.
    public func perform<Output>(
        _ asynchronous: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output
    ) async throws -> Output {
        let outcome = await withCheckedContinuation {
            (continuation: CheckedContinuation<UnsafeTransfer<Result<Output, CoreStoreError>>, Never>) in
            base.attempt(asynchronous, TransactionOptions(), repetitions: 0, isInTurn: false) {
                continuation.resume(returning: UnsafeTransfer($0))
            }
        }
        base.takeTurnsIfOnViewQueue()
        return try outcome.value.get()
    }

    /// Reads from one snapshot of the stores, beside whatever transactions run.
    ///
    /// ```swift
    /// let names = try await stack.async.read { try $0.fetchAll(From<Person>()).map(\.name) }
    /// ```
    ///
    /// When the task is cancelled, what is being read is ended, where the store can do that: PostgreSQL can.
    ///
    /// - Throws: ``CoreStoreError``; `userCancelled` when the task was cancelled, and otherwise the first failure of a read
    ///   that cannot throw, such as the look at a relationship.
    public func read<Output>(
        _ task: @escaping @Sendable (ReadTransaction) throws -> Output
    ) async throws -> Output {
        try await Cancellation.awaiting { cancellation, completion in
            let completion = UnsafeTransfer(completion)
            base.reading.async {
                completion.value(
                    Result { () throws(CoreStoreError) in try base.read(task, cancellation) })
            }
        }
    }
}
