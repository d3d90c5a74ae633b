public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Imports of sources that arrive over time, such as the lines of a long file.
extension DataStack.AsyncNamespace {
    /// Creates objects from sources as these arrive, in batches of one transaction each.
    ///
    /// ```swift
    /// for try await ids in stack.async.importObjects(Into<Note>(), from: lines) {
    ///     print("\(ids.count) more notes")
    /// }
    /// ```
    ///
    /// The next sources are read when the loop asks for the next batch, so no more than one batch is in memory.
    ///
    /// If the import of a batch fails, the loop throws ``CoreStoreError``, and nothing of that batch is saved. If the sources
    /// throw, the loop throws the same error, and the batch that was being read is not imported. The batches before it stay
    /// saved. When the task is cancelled, the loop throws ``CoreStoreError/userCancelled``.
    ///
    /// - Parameter batchSize: the sources of a transaction; at least 1.
    /// - Returns: the ids of the objects, in the order of their sources.
    public func importObjects<O: DynamicObject & ImportableObject, Sources: AsyncSequence>(
        _ into: Into<O>, from sources: Sources, batchSize: Int = 1_000
    ) -> ImportedBatches<Sources> where Sources.Element == O.ImportSource, O.ImportSource: Sendable {
        ImportedBatches(sources: sources, batchSize: max(1, batchSize)) { [base] batch in
            try await base.async.perform { try $0.importObjects(into, sourceArray: batch).map { $0.cs_id() } }
                .map { base.survivor(of: $0) }
        }
    }

    /// Updates the objects with the unique ids of sources as these arrive, and creates the others, in batches of one
    /// transaction each.
    ///
    /// ```swift
    /// for try await ids in stack.async.importUniqueObjects(Into<Person>(), from: lines, batchSize: 5_000) {
    ///     print("\(ids.count) more people")
    /// }
    /// ```
    ///
    /// One request to each store finds the objects of a batch, whatever their number. The next sources are read when the loop
    /// asks for the next batch, so no more than one batch is in memory. A source with the id of an earlier batch updates the
    /// object of that batch.
    ///
    /// If the import of a batch fails, the loop throws ``CoreStoreError``, and nothing of that batch is saved. If the sources
    /// throw, the loop throws the same error, and the batch that was being read is not imported. The batches before it stay
    /// saved. When the task is cancelled, the loop throws ``CoreStoreError/userCancelled``.
    ///
    /// - Parameter batchSize: the sources of a transaction; at least 1.
    /// - Returns: the ids of the objects, in the order in which the unique ids occur first in the batch.
    public func importUniqueObjects<O: DynamicObject & ImportableUniqueObject, Sources: AsyncSequence>(
        _ into: Into<O>, from sources: Sources, batchSize: Int = 1_000
    ) -> ImportedBatches<Sources> where Sources.Element == O.ImportSource, O.ImportSource: Sendable {
        ImportedBatches(sources: sources, batchSize: max(1, batchSize)) { [base] batch in
            try await base.async.perform { try $0.importUniqueObjects(into, sourceArray: batch).map { $0.cs_id() } }
                .map { base.survivor(of: $0) }
        }
    }
}
