public import CofferSchema
import Dispatch

/// Reads from one snapshot of the stores with `read`: on the current thread, or in the background with a completion.
extension DataStack {
    /// Reads from one snapshot of the stores on the current thread, beside running transactions.
    ///
    /// ```swift
    /// let total = try stack.read { try $0.fetchCount(From<Person>()) }
    /// ```
    ///
    /// Any number of reads run in parallel, on any thread. The objects belong to the read: return values or ids from
    /// the closure, and not objects.
    ///
    /// - Throws: the ``CoreStoreError`` of the closure, `userError` with another error of the closure, or
    ///   `internalError` if a read without `throws` has failed, such as the read of a relationship.
    public func read<T>(_ task: (_ reading: ReadTransaction) throws -> T) throws(CoreStoreError) -> T {
        try read(task, nil)
    }

    func read<T>(
        _ task: (ReadTransaction) throws -> T, _ cancellation: Cancellation?
    ) throws(CoreStoreError) -> T {
        let reading = ReadTransaction(self)
        defer { reading.finish() }
        return try reading.run(task, cancellation)
    }

    /// Reads from one snapshot of the stores on a thread of the stack.
    ///
    /// ```swift
    /// stack.read({ try $0.fetchCount(From<Person>()) }, completion: { result in print(result) })
    /// ```
    ///
    /// Any number of reads run in parallel. The objects belong to the read: return values or ids from the closure, and
    /// not objects.
    ///
    /// - Parameter completion: called on the view queue, with the result of the closure, or with the error of
    ///   ``read(_:)``.
    @preconcurrency
    public func read<T>(
        _ task: @escaping @Sendable (_ reading: ReadTransaction) throws -> T,
        completion: @escaping (Result<T, CoreStoreError>) -> Void
    ) {
        let given = UnsafeTransfer((task, completion))
        reading.async { [self] in
            let (task, completion) = given.value
            let result = UnsafeTransfer((Result { () throws(CoreStoreError) in try read(task) }, completion))
            viewQueue.async { result.value.1(result.value.0) }
        }
    }

    /// Runs a closure with the graph of a new read, for a call outside the view queue.
    func withReadingGraph<Output>(
        _ body: (ObjectGraph) throws(CoreStoreError) -> Output
    ) throws(CoreStoreError) -> Output {
        let reading = ReadTransaction(self)
        defer { reading.finish() }
        return try body(reading._graph)
    }

    // MARK: Former names

    /// Reads from one snapshot of the stores: the former name of ``read(_:)``.
    ///
    /// The compiler chooses this method only with the label `read`: `perform { … }` is a transaction that writes.
    @_disfavoredOverload
    @available(*, deprecated, message: "Write 'read { … }'.")
    public func perform<T>(read task: (_ reading: ReadTransaction) throws -> T) throws(CoreStoreError) -> T {
        try read(task, nil)
    }

    /// Reads from one snapshot of the stores on another thread: the former name of ``read(_:completion:)``.
    @_disfavoredOverload
    @available(*, deprecated, message: "Write 'read(_:completion:)'.")
    @preconcurrency
    public func perform<T>(
        asynchronousRead task: @escaping @Sendable (_ reading: ReadTransaction) throws -> T,
        completion: @escaping (Result<T, CoreStoreError>) -> Void
    ) {
        read(task, completion: completion)
    }
}
