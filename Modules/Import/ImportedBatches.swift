import CofferSchema
public import CofferStorage

/// The imported batches of an asynchronous sequence of sources: one transaction for each batch.
///
/// `stack.async.importObjects(_:from:batchSize:)` and `stack.async.importUniqueObjects(_:from:batchSize:)` return this
/// sequence. The import begins when a loop over the sequence begins.
public struct ImportedBatches<Sources: AsyncSequence>: AsyncSequence where Sources.Element: Sendable {
    /// The ids of the objects of one batch.
    public typealias Element = [ObjectID]

    let sources: Sources
    let batchSize: Int
    let importing: @Sendable ([Sources.Element]) async throws -> [ObjectID]

    /// Begins to read the sources.
    public func makeAsyncIterator() -> Iterator {
        Iterator(sources: sources.makeAsyncIterator(), batchSize: batchSize, importing: importing)
    }

    /// Reads the sources batch by batch, and imports them.
    public struct Iterator: AsyncIteratorProtocol {
        var sources: Sources.AsyncIterator?
        let batchSize: Int
        let importing: @Sendable ([Sources.Element]) async throws -> [ObjectID]

        /// Reads the sources of a batch, and imports them in one transaction.
        ///
        /// - Returns: the ids of the objects; nil if there are no more sources.
        /// - Throws: the error of the sources or of a method of the class. If the transaction fails or the task is
        ///   cancelled, the method throws ``CoreStoreError``. The sequence ends with the error.
        public mutating func next() async throws -> [ObjectID]? { try await next(isolation: #isolation) }

        /// Reads the sources of a batch, and imports them in one transaction.
        ///
        /// - Returns: the ids of the objects; nil if there are no more sources.
        /// - Throws: the same errors as `next()`.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [ObjectID]? {
            do {
                return try await importBatch(isolation: actor)
            } catch {
                // The failed batch is not imported again, and neither are later sources.
                sources = nil
                throw error
            }
        }

        private mutating func importBatch(isolation actor: isolated (any Actor)?) async throws -> [ObjectID]? {
            var batch: [Sources.Element] = []
            while batch.count < batchSize, let source = try await nextSource(isolation: actor) {
                batch.append(source)
            }
            // Many sequences end when their task is cancelled, so the batch may be incomplete.
            if Task.isCancelled { throw CoreStoreError.userCancelled }
            return batch.isEmpty ? nil : try await importing(batch)
        }

        private mutating func nextSource(isolation actor: isolated (any Actor)?) async throws -> Sources.Element? {
            if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
                return try await sources?.next(isolation: actor)
            }
            // Only this call uses the iterator: the method is mutating.
            nonisolated(unsafe) var iterator = sources
            defer { sources = iterator }
            return try await iterator?.next()
        }
    }
}

extension ImportedBatches: Sendable where Sources: Sendable {}
