public import CofferSchema
import CofferStorage
import Dispatch
import Foundation

/// Transactions that say how they get along with other writers.
extension DataStack {
    /// Runs a transaction on the stack's own queue and saves it when the closure returns.
    ///
    /// Where the options let the closure be run again, other transactions may come before it is.
    ///
    /// - Parameters:
    ///   - options: how the transaction gets along with other writers.
    ///   - sourceIdentifier: handed to observers of the changes.
    ///   - completion: called on the view queue, once, with what became of the last attempt.
    @preconcurrency
    public func perform<T>(
        asynchronous task: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> T,
        options: TransactionOptions, sourceIdentifier: Any? = nil,
        completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        let given = Handover((sourceIdentifier, completion))
        attempt(
            task, options, repetitions: options.repeatable.limit, sourceIdentifier: given.value.0,
            completion: given.value.1)
    }

    /// Runs a transaction on the stack's own queue, and again while that helps.
    ///
    /// - Parameter repetitions: how often the closure may be run again.
    func attempt<T>(
        _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> T, _ options: TransactionOptions,
        repetitions: Int, sourceIdentifier: Any? = nil, cancellation: Cancellation? = nil,
        completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        let given = Handover((task, sourceIdentifier, completion))
        let pause =
            repetitions == options.repeatable.limit
            ? 0 : options.repeatable.pause(after: options.repeatable.limit - repetitions - 1)
        let attempt = { @Sendable [self] in
            let (task, sourceIdentifier, completion) = given.value
            let transaction = AsynchronousDataTransaction(self, options, sourceIdentifier: sourceIdentifier)
            transaction._graph.cancellation = cancellation
            let outcome = writing.holding { transaction.run(task, repetitions: repetitions) }
            guard let outcome else {
                return self.attempt(
                    task, options, repetitions: repetitions - 1, sourceIdentifier: sourceIdentifier,
                    cancellation: cancellation, completion: completion)
            }
            let result = Handover((outcome, completion))
            viewQueue.async { [self] in
                takeOverCommits()
                result.value.1(result.value.0)
            }
        }
        if pause > 0 {
            writer.asyncAfter(deadline: .now() + pause, execute: attempt)
        } else {
            writer.async(execute: attempt)
        }
    }

    /// Runs a transaction, saves it when the closure returns, and returns what the closure did.
    ///
    /// Where the options let the closure be run again, other transactions may come before it is.
    ///
    /// - Parameters:
    ///   - options: how the transaction gets along with other writers.
    ///   - waitForAllObservers: as in ``perform(synchronous:waitForAllObservers:sourceIdentifier:)``.
    ///   - sourceIdentifier: handed to observers of the changes.
    /// - Throws: ``CoreStoreError``: what the closure threw (as `userError`), `userCancelled`, or why saving failed.
    @discardableResult
    public func perform<T>(
        synchronous task: (_ transaction: SynchronousDataTransaction) throws -> T, options: TransactionOptions,
        waitForAllObservers: Bool = true, sourceIdentifier: Any? = nil
    ) throws(CoreStoreError) -> T {
        try checkNotNested()
        var repetitions = 0
        while true {
            let outcome = inTransaction {
                SynchronousDataTransaction(self, options, sourceIdentifier: sourceIdentifier)
                    .run(task, repetitions: options.repeatable.limit - repetitions)
            }
            if let outcome {
                showCommits(waiting: waitForAllObservers)
                return try outcome.get()
            }
            Thread.sleep(forTimeInterval: options.repeatable.pause(after: repetitions))
            repetitions += 1
        }
    }

    private func checkNotNested() throws(CoreStoreError) {
        guard isInTransaction else { return }
        let error = CoreStoreError(
            storage: StorageError(
                .unsupported,
                "'perform(synchronous:)' was called inside a transaction of the same data stack, which would wait for "
                    + "itself. Use the transaction that is there, or 'perform(asynchronous:)'."
            )
        )
        Diagnostics.log(error, "A transaction cannot be nested.")
        throw error
    }
}

extension DataStack.AsyncNamespace {
    /// Runs a transaction on the stack's own queue and saves it when the closure returns.
    ///
    /// No thread waits while the closure is not running. When the task is cancelled before saving begins, what the
    /// closure reads is ended, where the store can do that, and nothing is saved: ``CoreStoreError/userCancelled``.
    ///
    /// - Parameter options: how the transaction gets along with other writers.
    /// - Returns: what the closure returned, once the stack's objects show the changes.
    /// - Throws: ``CoreStoreError``.
    public func perform<Output>(
        _ options: TransactionOptions,
        _ asynchronous: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output
    ) async throws -> Output {
        try await Cancellation.awaiting(in: base) { cancellation, completion in
            base.attempt(
                asynchronous, options, repetitions: options.repeatable.limit, cancellation: cancellation,
                completion: completion)
        }
    }
}
