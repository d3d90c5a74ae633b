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
        let given = UnsafeTransfer((sourceIdentifier, completion))
        attempt(
            task, options, repetitions: options.repeatable.limit, sourceIdentifier: given.value.0,
            completion: given.value.1)
    }

    /// Runs a transaction on the stack's own queue, and again while that helps.
    ///
    /// - Parameters:
    ///   - repetitions: how often the closure may be run again.
    ///   - isInTurn: whether the completion is called on the view queue, in the turn of the commit; otherwise where the
    ///     transaction ran, without waiting for the view queue.
    func attempt<T>(
        _ task: @escaping @Sendable (AsynchronousDataTransaction) throws -> T, _ options: TransactionOptions,
        repetitions: Int, sourceIdentifier: Any? = nil, cancellation: Cancellation? = nil, isInTurn: Bool = true,
        completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        let given = UnsafeTransfer((task, sourceIdentifier, completion))
        let pause =
            repetitions == options.repeatable.limit
            ? 0 : options.repeatable.pause(after: options.repeatable.limit - repetitions - 1)
        view.turns.enter()
        let attempt = { @Sendable [self] in
            defer { view.turns.leave() }
            let (task, sourceIdentifier, completion) = given.value
            let transaction = AsynchronousDataTransaction(self, options, sourceIdentifier: sourceIdentifier)
            transaction._graph.state.readers.cancellation = cancellation
            let run = { (transaction: AsynchronousDataTransaction) throws -> T in
                let value = try task(transaction)
                if isInTurn {
                    transaction.completion = TurnCompletion(isRequired: true) { completion(.success(value)) }
                }
                return value
            }
            let outcome = writing.holding { transaction.run(run, repetitions: repetitions) }
            guard let outcome else {
                return self.attempt(
                    task, options, repetitions: repetitions - 1, sourceIdentifier: sourceIdentifier,
                    cancellation: cancellation, isInTurn: isInTurn, completion: completion)
            }
            guard isInTurn else { return completion(outcome) }
            guard !transaction.hasCompletedInTurn else { return }
            callInTurn { completion(outcome) }
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
            let waiter = TurnWaiter(self, waits: waitForAllObservers)
            let outcome = inTransaction {
                let transaction = SynchronousDataTransaction(self, options, sourceIdentifier: sourceIdentifier)
                return waiter.observing(transaction) {
                    transaction.run(task, repetitions: options.repeatable.limit - repetitions)
                }
            }
            if let outcome {
                waiter.wait()
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
    /// - Returns: what the closure returned, once it is saved. The view queue is not waited for; what runs on it from
    ///   then on shows the changes.
    /// - Throws: ``CoreStoreError``.
    public func perform<Output>(
        _ options: TransactionOptions,
        _ asynchronous: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output
    ) async throws -> Output {
        defer { base.takeTurnsIfOnViewQueue() }
        return try await Cancellation.awaiting { cancellation, completion in
            base.attempt(
                asynchronous, options, repetitions: options.repeatable.limit, cancellation: cancellation,
                isInTurn: false, completion: completion)
        }
    }
}
