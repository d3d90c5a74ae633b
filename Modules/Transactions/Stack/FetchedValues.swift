import CofferSchema

/// The values of all objects that a fetch finds, as an asynchronous sequence.
///
/// ```swift
/// for try await name in stack.async.fetchEach(From<Person>().orderBy(.ascending(\.$name)), { $0.name }) {
///     print(name)
/// }
/// ```
///
/// Each loop is a read of its own. It sees one snapshot of each store, reads the objects page by page when it needs
/// them, and holds the values of one page. The snapshot is kept until the loop ends. Meanwhile, a store keeps the
/// former rows of later commits, so end a loop that waits for long.
///
/// A loop throws ``CoreStoreError``: `internalError` if the fetch fails, `userError` with an error of the closure, and
/// `userCancelled` if its task is cancelled. It never ends early without an error.
public struct FetchedValues<Element: Sendable>: AsyncSequence, Sendable {
    /// The type of the errors that a loop throws; each of them is a ``CoreStoreError``.
    public typealias Failure = any Error

    let stack: DataStack
    let begin: @Sendable (ReadTransaction) throws -> PageReader

    /// Reads the next page of a loop, and converts its objects; nil after the last page.
    typealias PageReader = () throws -> [Element]?

    /// Creates the read of a loop, which begins with the first value.
    public func makeAsyncIterator() -> Iterator { Iterator(loop: Loop(self)) }

    /// Reads the values one by one, and keeps the snapshot for as long as the iterator exists.
    ///
    /// Only one task may use an iterator.
    public struct Iterator: AsyncIteratorProtocol {
        let loop: Loop
        private var page: ArraySlice<Element> = []

        init(loop: Loop) { self.loop = loop }

        /// Waits for the next value.
        ///
        /// - Returns: the value; nil after the last one, and after an error was thrown.
        /// - Throws: ``CoreStoreError``, once.
        public mutating func next() async throws -> Element? {
            while page.isEmpty {
                guard let next = try await loop.nextPage() else { return nil }
                page = next[...]
            }
            return page.removeFirst()
        }
    }

    /// The read of one loop.
    // Sendable: one task uses an iterator, and waits for each page; `deinit` runs when no page is being read.
    final class Loop: @unchecked Sendable {
        private let values: FetchedValues
        private var reading: ReadTransaction?
        private var reader: PageReader?
        private var hasEnded = false

        init(_ values: FetchedValues) { self.values = values }

        deinit { end() }

        /// Reads the next page on a thread of the stack.
        func nextPage() async throws -> [Element]? {
            if hasEnded { return nil }
            do {
                let page: [Element]? = try await Cancellation.awaiting { cancellation, completion in
                    let completion = UnsafeTransfer(completion)
                    values.stack.reading.async { [self] in
                        completion.value(Result { () throws(CoreStoreError) in try read(cancellation) })
                    }
                }
                if page == nil { end() }
                return page
            } catch {
                end()
                throw error
            }
        }

        private func read(_ cancellation: Cancellation) throws(CoreStoreError) -> [Element]? {
            let current = reading ?? ReadTransaction(values.stack)
            reading = current
            return try current.run(
                {
                    let next = try reader ?? values.begin($0)
                    reader = next
                    return try next()
                }, cancellation)
        }

        /// Ends the read on a thread of the stack, because a store may have to wait for its server.
        private func end() {
            hasEnded = true
            reader = nil
            guard let ended = reading.take() else { return }
            let reading = UnsafeTransfer(ended)
            values.stack.reading.async { reading.value.finish() }
        }
    }
}
