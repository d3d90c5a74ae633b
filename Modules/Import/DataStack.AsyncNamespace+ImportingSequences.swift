public import CofferClauses
public import CofferSchema
import CofferStorage
public import CofferTransactions

/// Imports objects from an asynchronous sequence of sources, such as the lines of a long file, in batches.
extension DataStack.AsyncNamespace {
    /// Creates objects from an asynchronous sequence of sources, in batches of one transaction each.
    ///
    /// ```swift
    /// for try await ids in stack.async.importObjects(Into<Note>(), from: lines) {
    ///     print("\(ids.count) more notes")
    /// }
    /// ```
    ///
    /// The import reads the next sources when the loop requests the next batch, so only one batch is in memory.
    ///
    /// If the import of a batch fails, the loop throws ``CoreStoreError``, and nothing of this batch is saved. If the
    /// sequence of sources throws an error, the loop throws the same error, and the current batch is not imported.
    /// Earlier batches stay saved. If the task is cancelled, the loop throws ``CoreStoreError/userCancelled``.
    ///
    /// - Parameter batchSize: the number of sources in a transaction; at least 1.
    /// - Returns: the ids of the objects, in the order of their sources.
    public func importObjects<O: DynamicObject & ImportableObject, Sources: AsyncSequence>(
        _ into: Into<O>, from sources: Sources, batchSize: Int = 1_000
    ) -> ImportedBatches<Sources> where Sources.Element == O.ImportSource, O.ImportSource: Sendable {
        ImportedBatches(sources: sources, batchSize: max(1, batchSize)) { [base] batch in
            try await base.async.perform { try $0.importObjects(into, sourceArray: batch).map { $0.cs_id() } }
                .map { base.survivor(of: $0) }
        }
    }

    /// Updates or creates the objects of an asynchronous sequence of sources, in batches of one transaction each.
    ///
    /// An object is updated if it has the unique id of a source:
    ///
    /// ```swift
    /// for try await ids in stack.async.importUniqueObjects(Into<Person>(), from: lines, batchSize: 5_000) {
    ///     print("\(ids.count) more people")
    /// }
    /// ```
    ///
    /// One request to each store finds any number of objects of a batch. The import reads the next sources when the
    /// loop requests the next batch, so only one batch is in memory. If a source has the id of a source in an earlier
    /// batch, it updates the object of this earlier batch.
    ///
    /// If the import of a batch fails, the loop throws ``CoreStoreError``, and nothing of this batch is saved. If the
    /// sequence of sources throws an error, the loop throws the same error, and the current batch is not imported.
    /// Earlier batches stay saved. If the task is cancelled, the loop throws ``CoreStoreError/userCancelled``.
    ///
    /// - Parameter batchSize: the number of sources in a transaction; at least 1.
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
