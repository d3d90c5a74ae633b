/// The values that an observed list, object, field or stack has over time, as an asynchronous sequence.
///
/// ```swift
/// for await snapshot in people.snapshots() {
///     print(snapshot.count)
/// }
/// ```
///
/// A loop observes from its beginning to its end, on any actor or in any task. It keeps the publisher alive, and it does
/// not keep the data stack alive. A slow reader gets the newest value: nothing is buffered.
///
/// The sequence ends when the task is cancelled, when the data stack is deallocated, and when its storages are removed. It
/// throws if its `Failure` is an error type and the values can no longer be read.
public struct ObservedSequence<Element: Sendable, Failure: Error>: AsyncSequence, Sendable {
    let subscribe: @Sendable () -> Subscription<Element, Failure>

    /// Begins to observe.
    ///
    /// Where this is called on the view queue, no later change is missed. Elsewhere the view queue begins soon, before it
    /// takes over commits that are made after this call.
    public func makeAsyncIterator() -> Iterator { Iterator(subscription: subscribe()) }

    /// Reads the values one by one, and observes as long as it exists.
    ///
    /// One task uses it. If two tasks wait for a value of one iterator, the program stops with a message.
    public struct Iterator: AsyncIteratorProtocol {
        let subscription: Subscription<Element, Failure>

        /// Waits for the next value.
        ///
        /// - Returns: nil when the sequence has ended.
        /// - Throws: the error of the sequence, once; the sequence ends with it.
        public mutating func next() async throws(Failure) -> Element? { try await subscription.next().get() }

        /// Waits for the next value.
        ///
        /// - Returns: nil when the sequence has ended.
        /// - Throws: as `next()` does.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Element? {
            try await subscription.next().get()
        }
    }
}
