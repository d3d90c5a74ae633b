/// An asynchronous sequence of the values of an observed list, object, field or data stack.
///
/// ```swift
/// for await snapshot in people.snapshots() {
///     print(snapshot.count)
/// }
/// ```
///
/// A loop observes from its beginning to its end, on any actor or in any task. The loop keeps the publisher alive, but
/// it does not keep the data stack alive. A slow loop gets the newest value, because the sequence has no buffer.
///
/// The sequence ends when the task is cancelled, when the data stack is deallocated, or when its storages are removed.
/// If the values can no longer be read and `Failure` is an error type, the sequence throws an error.
public struct ObservedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    let subscribe: @Sendable () -> Subscription<Element, Failure>

    /// Begins the observation.
    ///
    /// If the call is made on the view queue, the loop misses no later change. Otherwise the view queue begins the
    /// observation soon. It begins before it takes over commits that are made after this call.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscribe()) }

    /// Reads the values one by one, and observes for as long as the iterator exists.
    ///
    /// Only one task may use an iterator. If two tasks wait for a value of one iterator, the program stops with a
    /// message.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription<Element, Failure>

        /// Waits for the next value.
        ///
        /// - Returns: the value; nil after the end of the sequence.
        /// - Throws: the error of the sequence, once. The sequence ends with the error.
        public mutating func next() async throws(Failure) -> Element? { try await subscription.next().get() }

        /// Waits for the next value.
        ///
        /// - Returns: the value; nil after the end of the sequence.
        /// - Throws: the same error as `next()`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await subscription.next().get()
        }
    }
}
