public import CofferSchema
import CofferStorage
import Dispatch

extension DataStack {
    /// Reads from one snapshot of the stores on the current thread, beside whatever transactions run.
    ///
    /// ```swift
    /// let total = try stack.read { try $0.fetchCount(From<Person>()) }
    /// ```
    ///
    /// Any number of reads run in parallel. The objects are the read's own: take values out of them, not the objects.
    public func read<T>(_ task: (_ reading: ReadTransaction) throws -> T) throws(CoreStoreError) -> T {
        try read(task, nil)
    }

    func read<T>(
        _ task: (ReadTransaction) throws -> T, _ cancellation: Cancellation?
    ) throws(CoreStoreError) -> T {
        let reading = ReadTransaction(self)
        reading._graph.cancellation = cancellation
        defer { reading.finish() }
        do {
            return try task(reading)
        } catch _ where cancellation?.isCancelled == true {
            throw .userCancelled
        } catch let error as CoreStoreError {
            throw error
        } catch {
            throw .userError(error: error)
        }
    }

    /// Reads from one snapshot of the stores on a thread of the stack's own.
    ///
    /// ```swift
    /// stack.read({ try $0.fetchCount(From<Person>()) }, completion: { result in … })
    /// ```
    ///
    /// - Parameter completion: called on the view queue.
    @preconcurrency
    public func read<T>(
        _ task: @escaping @Sendable (_ reading: ReadTransaction) throws -> T,
        completion: @escaping (Result<T, CoreStoreError>) -> Void
    ) {
        let given = Handover((task, completion))
        reading.async { [self] in
            let (task, completion) = given.value
            let result = Handover((Result { () throws(CoreStoreError) in try read(task) }, completion))
            viewQueue.async { result.value.1(result.value.0) }
        }
    }
}
