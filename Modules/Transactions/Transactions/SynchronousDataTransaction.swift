public import CofferSchema
import CofferStorage

/// The transaction of `DataStack.perform(synchronous:)`.
///
/// Used only inside the closure, on its thread.
public final class SynchronousDataTransaction: BaseDataTransaction {
    init(_ stack: DataStack, _ options: TransactionOptions, sourceIdentifier: Any?) {
        super.init(stack, .ofTransaction(stack, options), sourceIdentifier: sourceIdentifier)
    }

    /// Discards every change and ends the transaction with ``CoreStoreError/userCancelled``: `try transaction.cancel()`.
    public func cancel() throws(CoreStoreError) -> Never {
        throw .userCancelled
    }

    /// - Returns: nil when the closure should be run again.
    func run<T>(
        _ task: (SynchronousDataTransaction) throws -> T, repetitions: Int
    ) -> Result<T, CoreStoreError>? {
        run(repetitions: repetitions) { try task(self) }
    }
}

extension ObjectGraph {
    /// The graph of a transaction that lives for one closure on the stack's transaction queue.
    static func ofTransaction(_ stack: DataStack, _ options: TransactionOptions) -> ObjectGraph {
        let graph = ObjectGraph(binding: stack.binding, backing: stack.backing, isEditable: true, keepsReaders: true)
        graph.throwsOnConflict = options.conflictPolicy == .throwOnConflict
        graph.uniqueConstraintPolicy = options.uniqueConstraintPolicy
        if options.isolation == .serializable { graph.readLog = ReadLog() }
        graph.isAccessAllowed = { [weak stack] in stack?.isInTransaction ?? true }
        return graph
    }

    /// A new object; when no key could be had, one that cannot be saved.
    func newObject(in destination: Destination) -> CoreStoreObject {
        undo?.hasUnrecordedChanges = true
        do {
            return try create(in: destination)
        } catch {
            keep(error, "No key could be reserved. The transaction cannot be saved.", isPartial: true)
            return unsavedObject(of: destination.entity)
        }
    }

    func foundObjects(_ fetch: Fetch) throws(CoreStoreError) -> [CoreStoreObject] {
        try converting { () throws(StorageError) in try objects(fetch) }
    }
}
