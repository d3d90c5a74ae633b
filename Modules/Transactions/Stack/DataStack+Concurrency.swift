import CofferSchema

/// Runs transactions and reads with `await` and without options: `async.perform` and `async.read`.
extension DataStack {
    /// The operations of the stack as `async` functions: `try await stack.async.perform { … }`.
    public var async: AsyncNamespace { AsyncNamespace(base: self) }

    /// The operations of a data stack as `async` functions.
    ///
    /// ```swift
    /// let count = try await stack.async.read { try $0.fetchCount(From<Person>()) }
    /// ```
    ///
    /// A call suspends its task, and blocks no thread of Swift's pool. The functions throw ``CoreStoreError``.
    public struct AsyncNamespace: Sendable {
        /// The data stack.
        public let base: DataStack
    }
}

extension DataStack.AsyncNamespace {
    /// Runs a transaction on the stack's own queue, and saves it when the closure returns.
    ///
    /// ```swift
    /// try await stack.async.perform { transaction in
    ///     transaction.create(Into<Person>()).name = "Ann"
    /// }
    /// ```
    ///
    /// The call returns after the commit, and does not wait for the view queue. Code that runs on the view queue
    /// afterwards sees the changes. If the task is cancelled, this transaction continues; the form with
    /// options can end it.
    ///
    /// - Returns: the result of the closure. Return values or ids, and not objects of the transaction.
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, `userCancelled`
    ///   after `cancel()`, or `internalError` if the commit failed. Nothing is saved then; ``BaseDataTransaction``
    ///   lists two exceptions.
    public func perform<Output>(
        _ asynchronous: @escaping @Sendable (AsynchronousDataTransaction) throws -> Output
    ) async throws -> Output {
        defer { base.takeTurnsIfOnViewQueue() }
        return try await Cancellation.awaiting { _, completion in
            base.attempt(
                asynchronous, TransactionOptions(), repetitions: 0, isInTurn: false, completion: completion)
        }
    }

    /// Reads from one snapshot of the stores, beside running transactions.
    ///
    /// ```swift
    /// let names = try await stack.async.read { try $0.fetchAll(From<Person>()).map(\.name) }
    /// ```
    ///
    /// If the task is cancelled, a store that can end a running request ends this request. PostgreSQL can do this.
    ///
    /// - Returns: the result of the closure. Return values or ids, and not objects of the read.
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, `userCancelled`
    ///   if the task was cancelled, or `internalError` if a read without `throws` has failed, such as the read of a
    ///   relationship.
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
