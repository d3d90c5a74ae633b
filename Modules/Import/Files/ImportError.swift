public import CofferRecords
public import CofferSchema
import CofferStorage

/// The error of an import from a file: its message, the first refused records, and the report of records saved earlier.
///
/// ```swift
/// do {
///     _ = try await stack.async.importObjects(Into<Note>(), from: RecordFile(url))
/// } catch let error as ImportError {
///     if case .refusedRecords(let records) = error.cause { print(records.count, "refused records") }
/// }
/// ```
///
/// With one transaction, nothing is saved. With batches, the batches before the error stay saved.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    /// The cause of an error.
    public enum Cause: Sendable {
        /// Some records were refused, and the options do not keep the others.
        case refusedRecords([RefusedRecord])
        /// The file could not be read to its end.
        case file(RecordFileError)
        /// A transaction failed, or the import was cancelled: `CoreStoreError.userCancelled`.
        ///
        /// If the code of the store's error is `unknownOutcome`, the last transaction may be saved.
        case transaction(CoreStoreError)
    }

    /// The name of the file, without its folder.
    public let file: String
    /// The cause.
    public let cause: Cause
    /// The report of the transactions that were saved before.
    ///
    /// With one transaction, its counts are 0.
    public let saved: ImportReport
    /// The number of all refused records; the cause may list only a part of them.
    public let refusedCount: Int
    /// Whether the data stack has several stores, of which some may have saved their parts of the last transaction.
    let hasSeveralStores: Bool

    /// The file, the cause, and the saved records, in one line.
    public var description: String {
        switch cause {
        case .refusedRecords(let records):
            "'\(file)': \(refusedCount == 1 ? "1 record is" : "\(refusedCount) records are") refused. The first: "
                + "\(records.first?.description ?? "") \(outcome)"
        case .file(let error): "\(error) \(outcome)"
        case .transaction(let error): "'\(file)': \(error) \(outcome)"
        }
    }

    private var outcome: String {
        let earlier = saved.recordCount == 0 ? nil : "Earlier batches were saved (\(saved))."
        guard case .transaction(let error) = cause, let error = error.storageError else {
            return earlier ?? "Nothing was saved."
        }
        if error.code == .unknownOutcome {
            return [
                earlier, "The outcome of the last transaction is unknown. Read the data before you repeat the import.",
            ]
            .compactMap(\.self).joined(separator: " ")
        }
        // The error names the stores that have saved their parts, and may also name the store that failed.
        let exception = hasSeveralStores ? ", except parts that the error reports as saved" : ""
        return earlier ?? "Nothing was saved\(exception)."
    }
}
