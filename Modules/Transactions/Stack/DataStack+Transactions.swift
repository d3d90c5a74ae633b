public import CofferSchema
public import CofferStorage

/// Runs transactions without options, and begins unsafe ones: `perform(synchronous:)`, `beginUnsafe()`.
extension DataStack {
    /// Runs a transaction on the stack's own queue, and saves it when the closure returns.
    ///
    /// ```swift
    /// stack.perform(
    ///     asynchronous: { transaction in
    ///         transaction.create(Into<Person>()).name = "Ann"
    ///     },
    ///     completion: { result in
    ///         if case .failure(let error) = result { print(error) }
    ///     }
    /// )
    /// ```
    ///
    /// Transactions run one after the other, in the order of the calls. The closure does not run on the caller's actor:
    /// use ids or objects in the closure, and not the state of the actor.
    ///
    /// If the closure throws, or the commit fails, nothing is saved; ``BaseDataTransaction`` lists two exceptions. The
    /// completion then receives the ``CoreStoreError`` of the closure, `userError` with another error of the closure,
    /// `userCancelled` after `cancel()`, or `internalError`.
    ///
    /// - Parameters:
    ///   - sourceIdentifier: passed to the observers of the changes.
    ///   - completion: called on the view queue after the observers, in the turn that updates the stack's objects.
    ///     Reads in the completion show this transaction and no later transaction.
    @preconcurrency
    public func perform<T>(
        asynchronous task: @escaping @Sendable (_ transaction: AsynchronousDataTransaction) throws -> T,
        sourceIdentifier: Any? = nil, completion: @escaping (AsynchronousDataTransaction.Result<T>) -> Void
    ) {
        attempt(
            task, TransactionOptions(), repetitions: 0, sourceIdentifier: sourceIdentifier, completion: completion)
    }

    /// Runs a transaction on the stack's own queue, and calls one of two closures after it.
    ///
    /// ```swift
    /// stack.perform(
    ///     asynchronous: { transaction in
    ///         transaction.create(Into<Person>()).objectID()
    ///     },
    ///     success: { id in print("created \(id)") },
    ///     failure: { error in print(error) }
    /// )
    /// ```
    ///
    /// - Parameters:
    ///   - sourceIdentifier: passed to the observers of the changes.
    ///   - success: called on the view queue with the result of the closure.
    ///   - failure: called on the view queue with the error. Nothing is saved then; ``BaseDataTransaction`` lists two
    ///     exceptions.
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

    /// Runs a transaction, saves it when the closure returns, and returns the result of the closure.
    ///
    /// ```swift
    /// let id = try stack.perform(synchronous: { transaction in
    ///     let ann = transaction.create(Into<Person>())
    ///     ann.name = "Ann"
    ///     return ann.objectID()
    /// })
    /// ```
    ///
    /// The call first waits for earlier transactions of the stack. Return values or ids from the closure, and not
    /// objects of the transaction. Inside another transaction of the same stack, the call throws `internalError` with
    /// the code `unsupported`, because it would wait for itself.
    ///
    /// - Parameters:
    ///   - waitForAllObservers: whether the call returns only after the stack's objects show the changes and the
    ///     observers were called. Off the view queue, this wait needs a free view queue. If false, the observers are
    ///     called in a later turn of the view queue. A call on the view queue then still returns with objects and reads
    ///     that show the changes.
    ///   - sourceIdentifier: passed to the observers of the changes.
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, `userCancelled`
    ///   after `cancel()`, or `internalError` if the commit failed. Nothing is saved then; ``BaseDataTransaction``
    ///   lists two exceptions.
    @discardableResult
    public func perform<T>(
        synchronous task: (_ transaction: SynchronousDataTransaction) throws -> T, waitForAllObservers: Bool = true,
        sourceIdentifier: Any? = nil
    ) throws(CoreStoreError) -> T {
        try perform(
            synchronous: task, options: TransactionOptions(), waitForAllObservers: waitForAllObservers,
            sourceIdentifier: sourceIdentifier)
    }

    /// Begins a transaction without a closure; the program keeps it, and commits it any number of times.
    ///
    /// ```swift
    /// let draft = stack.beginUnsafe(supportsUndo: true)
    /// draft.edit(person)?.name = "Anna"
    /// try draft.commitAndWait()
    /// ```
    ///
    /// Use it from one thread at a time, for example for an editor on the main queue. Keep a reference to the
    /// transaction: changes without a commit are lost with it. If the data stack is deallocated, commits fail with
    /// `unknown`.
    ///
    /// - Parameters:
    ///   - supportsUndo: whether the program may call `undo()`, `redo()` and `rollback()`.
    ///   - sourceIdentifier: passed to the observers of the changes.
    public func beginUnsafe(supportsUndo: Bool = false, sourceIdentifier: Any? = nil) -> UnsafeDataTransaction {
        UnsafeDataTransaction(self, supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
    }

    /// Begins an unsafe transaction with a policy for objects that other transactions have changed.
    ///
    /// ```swift
    /// let draft = stack.beginUnsafe(conflictPolicy: .throwOnConflict)
    /// ```
    ///
    /// If a commit throws `conflict`, the changes are still pending. Call `refreshAndMergeAllObjects()` to apply them
    /// to the values that are stored now, and commit again.
    public func beginUnsafe(
        supportsUndo: Bool = false, conflictPolicy: TransactionOptions.ConflictPolicy, sourceIdentifier: Any? = nil
    ) -> UnsafeDataTransaction {
        let transaction = beginUnsafe(supportsUndo: supportsUndo, sourceIdentifier: sourceIdentifier)
        transaction._graph.state.throwsOnConflict = conflictPolicy == .throwOnConflict
        return transaction
    }

    /// Begins an unsafe transaction with a policy for unique values that another object has.
    ///
    /// ```swift
    /// let draft = stack.beginUnsafe(uniqueConstraintPolicy: .throwError)
    /// ```
    ///
    /// If a commit throws `uniqueViolation`, the changes are still pending. Give the object other values, and commit
    /// again. Commits of child transactions only reach their parent, so the policy of the outermost transaction
    /// applies.
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
