public import CofferClauses
public import CofferRecords
public import CofferSchema
public import CofferStorage
public import CofferTransactions
import Foundation

/// Imports objects from JSON or CSV files, which may be larger than memory.
extension DataStack.AsyncNamespace {
    /// Creates an object from each record of a file.
    ///
    /// ```swift
    /// let report = try await stack.async.importObjects(Into<Note>(), from: RecordFile(url))
    /// ```
    ///
    /// The records are decoded to the `ImportSource` of the class. By default, one transaction saves all records. A
    /// separate queue reads the file. If a method of the class refuses records, the import reads the file again.
    ///
    /// - Returns: the numbers of created, skipped and refused records.
    /// - Throws: ``ImportError``. It lists the refused records with their lines, keys and reasons, and counts the
    ///   records that earlier batches have saved.
    public func importObjects<O: DynamicObject & ImportableObject>(
        _ into: Into<O>, from file: RecordFile, options: ImportOptions = ImportOptions()
    ) async throws(ImportError) -> ImportReport where O.ImportSource: Decodable {
        try await importing(file, options) { _ in ObjectImporter(into: into) }
    }

    /// Updates the object with the unique id of each record of a file, or creates it.
    ///
    /// ```swift
    /// let report = try await stack.async.importUniqueObjects(Into<Film>(), from: RecordFile(url))
    /// ```
    ///
    /// The records are decoded to the `ImportSource` of the class, and imported in groups of 5,000, or in the batches
    /// of the options. If several records of a group have the same id, the import uses only the last one, and calls the
    /// methods of the class only for this record. A record of a later group updates the object. By default, one
    /// transaction saves all records. A separate queue reads the file. If a method of the class refuses records, the
    /// import reads the file again.
    ///
    /// - Returns: the numbers of created, updated, skipped and refused records.
    /// - Throws: ``ImportError``. It lists the refused records with their lines, keys and reasons, and counts the
    ///   records that earlier batches have saved.
    public func importUniqueObjects<O: DynamicObject & ImportableUniqueObject>(
        _ into: Into<O>, from file: RecordFile, options: ImportOptions = ImportOptions()
    ) async throws(ImportError) -> ImportReport where O.ImportSource: Decodable {
        try await importing(file, options) { _ in
            UniqueObjectImporter(into: into, keepsOthers: options.refusals == .keepOthers)
        }
    }

    /// Copies the keys of each record of a file to the stored fields of the same names.
    ///
    /// ```swift
    /// let report = try await stack.async.importRecords(Into<Dog>(), from: RecordFile(url), uniqueBy: "name")
    /// print(report.createdCount, report.updatedCount)
    /// ```
    ///
    /// The class needs no import methods, and the accessors of fields are not called. If the record has no key for a
    /// field, the field stays unchanged. The bytes of a coded field are a string in Base64. If a field cannot have a
    /// value, such as an unknown raw value of an enumeration, the record is refused.
    ///
    /// - Parameter uniqueKeyPath: the name of the attribute by which an object is found and updated; nil to create an
    ///   object from each record.
    /// - Returns: the numbers of created, updated and refused records.
    /// - Throws: ``ImportError``, which lists the refused records with their lines, keys and reasons. By default,
    ///   nothing is then saved. If a record has an unknown key, it is refused, unless the options ignore such keys.
    public func importRecords<O: CoreStoreObject>(
        _ into: Into<O>, from file: RecordFile, uniqueBy uniqueKeyPath: KeyPathString? = nil,
        options: ImportOptions = ImportOptions()
    ) async throws(ImportError) -> ImportReport {
        try await importing(file, options) { stack throws(CoreStoreError) in
            try FieldImporter(
                into, uniqueBy: uniqueKeyPath, ignoresUnknownKeys: options.ignoresUnknownKeys,
                in: stack._graph.binding)
        }
    }

    /// Runs an import on a queue of its own, so that no thread of Swift's pool waits for the file.
    private func importing<Importer: RecordImporter>(
        _ file: RecordFile, _ options: ImportOptions,
        _ makeImporter: @escaping (DataStack) throws(CoreStoreError) -> Importer
    ) async throws(ImportError) -> ImportReport {
        let isCancelled = Locked(false)
        let progress = options.progress
        let work = UnsafeTransfer(
            FileImport(
                stack: base, file: file, options: options, makeImporter: makeImporter,
                isCancelled: { isCancelled.withLock { $0 } || progress?.isCancelled == true }))
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<ImportReport, ImportError>, Never>) in
                DispatchQueue(label: "coffer.import").async {
                    continuation.resume(returning: Result { () throws(ImportError) in try work.value.run() })
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        base.takeTurnsIfOnViewQueue()
        return try outcome.get()
    }
}
