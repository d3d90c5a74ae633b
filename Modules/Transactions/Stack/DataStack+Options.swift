public import CofferSchema
import CofferStorage
import Foundation

/// Runs transactions with options, repeats them after a pause, and refuses nested synchronous transactions.
extension DataStack {
    /// Runs a transaction with options on the stack's own queue, and saves it when the closure returns.
    ///
    /// ```swift
    /// stack.perform(
    ///     asynchronous: { transaction in
    ///         try transaction.fetchOne(From<Person>())?.age += 1
    ///     },
    ///     options: .init(isolation: .serializable, repeatable: .upTo(10)),
    ///     completion: { result in print(result) }
    /// )
    /// ```
    ///
    /// If the options allow repetitions, other transactions may run before the closure is run again. Each run has its
    /// own transaction and objects.
    ///
    /// - Parameters:
    ///   - options: the treatment of conflicts with other writers.
    ///   - sourceIdentifier: passed to the observers of the changes.
    ///   - completion: called once, on the view queue, with the result of the last run. After a failure, nothing is
    ///     saved; ``BaseDataTransaction`` lists two exceptions.
    @preconcurrency
    public func perform<T>(
        asynchronous task: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> T,
        options: TransactionOptions, sourceIdentifier: Any? = nil,
        completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        attempt(
            task, options, repetitions: options.repeatable.limit, sourceIdentifier: sourceIdentifier,
            completion: completion)
    }

    /// Runs a transaction on the stack's own queue, and repeats it after an error that may not occur again.
    ///
    /// - Parameters:
    ///   - repetitions: the maximum number of repetitions of the closure.
    ///   - isInTurn: whether the completion is called on the view queue, in the turn of the commit. Otherwise it is
    ///     called on the queue of the transaction, without waiting for the view queue.
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
            let outcome = writing.holding {
                transaction.run(repetitions: repetitions) {
                    let value = try task(transaction)
                    if isInTurn {
                        transaction.completion = TurnCompletion(isRequired: true) { completion(.success(value)) }
                    }
                    return value
                }
            }
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

    /// Runs a transaction with options, saves it when the closure returns, and returns the result of the closure.
    ///
    /// ```swift
    /// try stack.perform(
    ///     synchronous: { transaction in
    ///         try transaction.fetchOne(From<Person>())?.age += 1
    ///     },
    ///     options: .init(isolation: .serializable, repeatable: .upTo(10))
    /// )
    /// ```
    ///
    /// If the options allow repetitions, other transactions may run before the closure is run again. Each run has its
    /// own transaction and objects.
    ///
    /// - Parameters:
    ///   - options: the treatment of conflicts with other writers.
    ///   - waitForAllObservers: as in ``perform(synchronous:waitForAllObservers:sourceIdentifier:)``.
    ///   - sourceIdentifier: passed to the observers of the changes.
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, `userCancelled`
    ///   after `cancel()`, or `internalError` if the commit of the last run failed. Nothing is saved then;
    ///   ``BaseDataTransaction`` lists two exceptions.
    @discardableResult
    public func perform<T>(
        synchronous task: (_ transaction: SynchronousDataTransaction) throws -> T, options: TransactionOptions,
        waitForAllObservers: Bool = true, sourceIdentifier: Any? = nil
    ) throws(CoreStoreError) -> T {
        try checkNotNested()
        var repetitions = 0
        while true {
            var waiter = TurnWaiter(self, waits: waitForAllObservers)
            // A variable receives the value, so that no generic code runs the closure and needs metadata of the
            // result at run time.
            var value: T?
            let outcome = inTransaction {
                let transaction = SynchronousDataTransaction(self, options, sourceIdentifier: sourceIdentifier)
                return waiter.observing(transaction) {
                    transaction.run(repetitions: options.repeatable.limit - repetitions) {
                        value = try task(transaction)
                    }
                }
            }
            if let outcome {
                waiter.wait()
                try outcome.get()
                guard let value else { throw .unknown }
                return value
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
                "'perform(synchronous:)' was called inside a transaction of the same data stack, and would wait for "
                    + "itself. Use the enclosing transaction, or 'perform(asynchronous:)'."
            )
        )
        Diagnostics.log(error, "A transaction cannot be nested.")
        throw error
    }
}

extension DataStack.AsyncNamespace {
    /// Runs a transaction with options on the stack's own queue, and saves it when the closure returns.
    ///
    /// ```swift
    /// try await stack.async.perform(.init(repeatable: .upTo(10))) { transaction in
    ///     try transaction.fetchOne(From<Person>())?.age += 1
    /// }
    /// ```
    ///
    /// No thread is blocked while the closure does not run. If the task is cancelled before saving
    /// begins, nothing is saved. A store that can end a running request ends it.
    ///
    /// - Parameter options: the treatment of conflicts with other writers.
    /// - Returns: the result of the closure, after the commit. The call does not wait for the view queue. Code that
    ///   runs on the view queue afterwards sees the changes.
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, `userCancelled`
    ///   after `cancel()` or if the task was cancelled, or `internalError` if the commit of the last run failed.
    ///   Nothing is saved then; ``BaseDataTransaction`` lists two exceptions.
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
