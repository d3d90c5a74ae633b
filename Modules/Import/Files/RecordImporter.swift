import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions

/// The protocol of importers, which create and update objects from a batch of records.
protocol RecordImporter {
    associatedtype Source: Decodable

    /// A reader of the records of a file.
    ///
    /// - Parameter isCancelled: the reader calls it while it waits.
    func makeReader(
        _ file: RecordFile, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecordFileError) -> RecordReader<Source>

    /// Checks a record before any object is changed.
    ///
    /// - Throws: the error for which the record is refused.
    func check(_ source: Source) throws

    /// Imports records that could be decoded, in their order.
    ///
    /// - Parameter outcome: counts the records. An error of a method of the class refuses one record.
    /// - Throws: ``CoreStoreError`` if objects could not be looked up, or if a method of the class throws such an
    ///   error.
    func `import`(
        _ records: [ImportedRecord<Source>], in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws
}

extension RecordImporter {
    /// A reader that decodes each record to its source.
    func makeReader(
        _ file: RecordFile, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecordFileError) -> RecordReader<Source> {
        try RecordReader(file, isCancelled: isCancelled)
    }

    /// Accepts every record.
    func check(_ source: Source) {}
}

/// A record that could be decoded.
struct ImportedRecord<Source> {
    let line: Int
    let number: Int
    let source: Source

    /// The refusal by an error that a method of the class has thrown.
    ///
    /// - Throws: the error itself if it does not concern the record: a store failed, or the import is cancelled.
    func refusal(_ error: any Error) throws -> RefusedRecord {
        switch error {
        case CoreStoreError.userError: break
        case is CoreStoreError, is StorageError, is CancellationError: throw error
        default: break
        }
        return RefusedRecord(line: line, number: number, error: error)
    }

    /// The refusal for a reason, which may concern one key.
    func refusal(key: String? = nil, reason: String) -> RefusedRecord {
        RefusedRecord(line: line, number: number, key: key, reason: reason)
    }
}

/// The report of an import so far, and the refused records that may prevent its commit.
struct ImportOutcome {
    var report = ImportReport()
    /// The records that a method of the class has refused.
    ///
    /// Their objects may be changed in part, so the transaction must not be saved.
    var refused: RefusalTable

    /// Returns the refused records of the report and of the methods of the class, in the order of the file.
    func refusal(limit: Int) -> RefusedRecords {
        let records = (report.refusals + refused.firstRecords).sorted { $0.number < $1.number }
        return RefusedRecords(records: Array(records.prefix(limit)), count: report.refusedCount + refused.count)
    }
}
