public import CofferSchema
import CofferStorage

/// An asynchronous sequence of arrays, with the values that a closure reads from the objects of a list.
///
/// `stack.async.values(of:_:)` returns this sequence.
public struct ListValues<O: DynamicObject, Value: Sendable>: AsyncSequence, Sendable {
    /// The values of all objects of the list.
    public typealias Element = [Value]
    /// The error of the sequence, if the list cannot be read.
    public typealias Failure = CoreStoreError

    let changes: ObservedSequence<ListSnapshot<O>, CoreStoreError>
    let read: @Sendable () async throws -> [Value]?
    /// The number of times the storages were removed; nil if the data stack was deallocated.
    let removalCount: @Sendable () -> Int?

    /// Begins to observe the list.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            changes: changes.makeAsyncIterator(), read: read, removalCount: removalCount,
            formerRemovalCount: removalCount())
    }

    /// Reads the arrays one by one, and observes the list for as long as the iterator exists.
    public struct Iterator: AsyncIteratorProtocol {
        var changes: ObservedSequence<ListSnapshot<O>, CoreStoreError>.Iterator
        let read: @Sendable () async throws -> [Value]?
        let removalCount: @Sendable () -> Int?
        let formerRemovalCount: Int?

        /// Waits until the list changes, and reads the list.
        ///
        /// - Returns: the values; nil after the end of the sequence.
        /// - Throws: ``CoreStoreError`` if the list cannot be read or the closure throws. The sequence ends with the
        ///   error.
        public mutating func next() async throws(CoreStoreError) -> [Value]? { try await next(isolation: nil) }

        /// Waits until the list changes, and reads the list.
        ///
        /// - Returns: the values; nil after the end of the sequence.
        /// - Throws: the same errors as `next()`.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(CoreStoreError) -> [Value]? {
            guard try await changes.next(isolation: actor) != nil else { return nil }
            do {
                return try await read()
            } catch {
                // If the task was cancelled or the storages were removed, the loop ends without an error. The view
                // queue ends the loop only after the storages are closed.
                let hasEnded =
                    Task.isCancelled || changes.subscription.isFinished || removalCount() != formerRemovalCount
                changes.subscription.finish()
                if hasEnded { return nil }
                throw CoreStoreError(error)
            }
        }
    }
}
