public import CofferSchema
public import CofferStorage
import Dispatch

extension DataStack {
    /// Runs a transaction on the stack's own queue and saves it when the closure returns.
    ///
    /// ```swift
    /// stack.perform(
    ///     asynchronous: { transaction in
    ///         transaction.create(Into<Person>()).name = "Ann"
    ///     },
    ///     completion: { result in … }
    /// )
    /// ```
    ///
    /// Transactions run one after the other, in the order they were asked for. An error the closure throws discards
    /// every change. The closure never runs on the caller's actor: take ids or objects into it, not the actor's state.
    ///
    /// - Parameters:
    ///   - sourceIdentifier: handed to observers of the changes.
    ///   - completion: called on the view queue in the turn in which the stack's objects take over the changes, after
    ///     the observers. Reads in it show this transaction and none that was committed later.
    @preconcurrency
    public func perform<T>(
        asynchronous task: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> T,
        sourceIdentifier: Any? = nil, completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        attempt(
            task, TransactionOptions(), repetitions: 0, sourceIdentifier: sourceIdentifier, completion: completion)
    }

    /// Runs a transaction on the stack's own queue and saves it when the closure returns.
    ///
    /// - Parameters:
    ///   - success: called on the view queue with what the closure returned.
    ///   - failure: called on the view queue when nothing was saved.
    @preconcurrency
    public func perform<T>(
        asynchronous task: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> T,
        sourceIdentifier: Any? = nil, success: @escaping (T) -> Void, failure: @escaping (CoreStoreError) -> Void
    ) {
        perform(asynchronous: task, sourceIdentifier: sourceIdentifier) { result in
            switch result {
            case .success(let value): success(value)
            case .failure(let error): failure(error)
            }
        }
    }

    /// Runs a transaction, saves it when the closure returns, and returns what the closure did.
    ///
    /// Waits for the transactions that were asked for before. Called inside another transaction of the same stack, it
    /// throws, since it could only wait for itself.
    ///
    /// - Parameters:
    ///   - waitForAllObservers: whether to return only once the stack's objects show the changes and observers were
    ///     told. That needs the view queue, unless this is called on it. Otherwise observers are told in a later turn
    ///     of the view queue; a call on it still returns with objects and reads that show the changes.
    ///   - sourceIdentifier: handed to observers of the changes.
    /// - Throws: ``CoreStoreError``: what the closure threw (as `userError`), `userCancelled`, or why saving failed.
    @discardableResult
    public func perform<T>(
        synchronous task: (_ transaction: SynchronousDataTransaction) throws -> T, waitForAllObservers: Bool = true,
        sourceIdentifier: Any? = nil
    ) throws(CoreStoreError) -> T {
        try perform(
            synchronous: task, options: TransactionOptions(), waitForAllObservers: waitForAllObservers,
            sourceIdentifier: sourceIdentifier)
    }

    /// Begins a transaction that may be kept, used from any one thread at a time, and committed any number of times.
    ///
    /// - Parameter supportsUndo: whether `undo()`, `redo()` and `rollback()` may be used.
    public func beginUnsafe(supportsUndo: Bool = false, sourceIdentifier: Any? = nil) -> UnsafeDataTransaction {
        UnsafeDataTransaction(self, supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
    }

    /// Begins a transaction that may be kept and committed any number of times, and says what its commits do with
    /// objects that someone else has changed.
    ///
    /// After a `conflict` the changes are still pending: `refreshAndMergeAllObjects()` puts them on what is stored now.
    public func beginUnsafe(
        supportsUndo: Bool = false, conflictPolicy: TransactionOptions.ConflictPolicy, sourceIdentifier: Any? = nil
    ) -> UnsafeDataTransaction {
        let transaction = beginUnsafe(supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
        transaction._graph.state.throwsOnConflict = conflictPolicy == .throwOnConflict
        return transaction
    }

    /// Begins a transaction that may be kept and committed any number of times, and says what its commits do with new
    /// objects whose unique values others already have.
    ///
    /// After a `uniqueViolation` the changes are still pending: give the object other values and commit again. Commits of
    /// child transactions only reach their parent, so the policy of the outermost transaction applies.
    public func beginUnsafe(
        supportsUndo: Bool = false,
        conflictPolicy: TransactionOptions.ConflictPolicy = .lastWriterWinsPerProperty,
        uniqueConstraintPolicy: UniqueConstraintPolicy, sourceIdentifier: Any? = nil
    ) -> UnsafeDataTransaction {
        let transaction = beginUnsafe(
            supportsUndo: supportsUndo, conflictPolicy: conflictPolicy, sourceIdentifier: sourceIdentifier)
        transaction._graph.state.uniqueConstraintPolicy = uniqueConstraintPolicy
        return transaction
    }
}
