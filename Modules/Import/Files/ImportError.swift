public import CofferRecords
public import CofferSchema

/// Why an import from a file ended.
public struct ImportError: Error, Sendable, CustomStringConvertible {
    /// What ended the import.
    public enum Cause: Sendable {
        /// Some records were refused, and the options do not keep the others.
        case refusedRecords([RefusedRecord])
        /// The file could not be read to its end.
        case file(RecordFileError)
        /// A transaction failed, or the import was cancelled: `CoreStoreError.userCancelled`.
        case transaction(CoreStoreError)
    }

    /// The name of the file, without its folder.
    public let file: String
    /// What ended the import.
    public let cause: Cause
    /// What earlier transactions of the import have saved.
    ///
    /// With one transaction, that is nothing.
    public let saved: ImportReport
    /// The number of refused records, also of those that the cause does not list.
    public let refusedCount: Int

    /// The file, the cause, and the saved records, in one line.
    public var description: String {
        let kept =
            saved.recordCount == 0 ? "Nothing was saved" : "Earlier batches were saved, \(saved)"
        return switch cause {
        case .refusedRecords(let records):
            "'\(file)': \(refusedCount) records are refused. The first: \(records.first?.description ?? "") \(kept)."
        case .file(let error): "\(error) \(kept)."
        case .transaction(let error): "'\(file)': \(error) \(kept)."
        }
    }
}
