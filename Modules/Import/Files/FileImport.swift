import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions
import Foundation

/// One import from a file.
///
/// Reads and imports on the thread that calls ``run()``, which must be one that may block.
struct FileImport<Importer: RecordImporter> {
    let stack: DataStack
    let file: RecordFile
    let options: ImportOptions
    let importer: Importer
    let isCancelled: @Sendable () -> Bool

    /// How many records are decoded before they are imported together.
    private static var batchSize: Int { 5_000 }

    /// Imports the whole file.
    ///
    /// - Throws: ``ImportError``.
    func run() throws -> ImportReport {
        var saved = ImportReport()
        do {
            beginProgress()
            switch options.transactions {
            case .one: saved = try importAtOnce()
            case .batches(let size): try importInBatches(of: max(1, size), &saved)
            }
            options.progress?.completedUnitCount = options.progress?.totalUnitCount ?? 0
            return saved
        } catch {
            throw failure(error, saved)
        }
    }

    /// Imports all records in one transaction.
    ///
    /// A record that a method of the class refuses may have changed objects in part. So the transaction is cancelled at the
    /// end of the file, and repeated without the refused records.
    private func importAtOnce() throws -> ImportReport {
        var excluded: [Int: RefusedRecord] = [:]
        var count: Int?
        while true {
            var report = ImportReport()
            var refused: [Int: RefusedRecord] = [:]
            let isSaved = try perform { transaction in
                var batches = RecordBatches(try importer.makeReader(file), excluded, limit: options.refusalLimit)
                while let batch = try batches.next(Self.batchSize) {
                    var outcome = ImportOutcome()
                    try importer.import(batch.records, in: transaction, &outcome)
                    report.add(batch, outcome, limit: options.refusalLimit)
                    refused.merge(outcome.refused) { $1 }
                    try advance(to: batches.byteCount, report.recordCount)
                }
                try checkRepeated(report.recordCount, count)
                return mayBeSaved(report, refused)
            }
            if isSaved { return report }
            count = report.recordCount
            guard options.refusals == .keepOthers else {
                throw report.refusal(refused, limit: options.refusalLimit)
            }
            excluded.merge(refused) { $1 }
        }
    }

    /// Checks that a file that is read again has as many records as before.
    ///
    /// A pipe is empty then.
    private func checkRepeated(_ count: Int, _ former: Int?) throws(RecordFileError) {
        guard let former, former != count else { return }
        throw RecordFileError(
            .unavailable, file: file.url.lastPathComponent,
            reason: "The file had \(former) records, and \(count) when it was read again without the refused ones. "
                + "Use a file that does not change, or import in batches.")
    }

    /// Imports the records with a transaction for each batch.
    private func importInBatches(of size: Int, _ saved: inout ImportReport) throws {
        var batches = RecordBatches(try importer.makeReader(file), [:], limit: options.refusalLimit)
        while let batch = try batches.next(size) {
            let report = try importBatch(batch)
            saved.add(report, limit: options.refusalLimit)
            try advance(to: batches.byteCount, saved.recordCount)
        }
    }

    private func importBatch(_ batch: RecordBatch<Importer.Source>) throws -> ImportReport {
        var batch = batch
        while true {
            var report = ImportReport()
            var outcome = ImportOutcome()
            let isSaved = try perform { transaction in
                try importer.import(batch.records, in: transaction, &outcome)
                report.add(batch, outcome, limit: options.refusalLimit)
                return mayBeSaved(report, outcome.refused)
            }
            if isSaved { return report }
            guard options.refusals == .keepOthers else {
                throw report.refusal(outcome.refused, limit: options.refusalLimit)
            }
            batch.refuse(outcome.refused, limit: options.refusalLimit)
        }
    }

    /// Ends a transaction that must not be saved.
    private struct Stop: Error {}

    /// Runs a transaction.
    ///
    /// - Parameter body: returns whether the transaction may be saved.
    /// - Returns: the result of the body.
    private func perform(_ body: (SynchronousDataTransaction) throws -> Bool) throws -> Bool {
        do {
            try stack.perform(
                synchronous: { transaction in if try !body(transaction) { throw Stop() } }, waitForAllObservers: false)
            return true
        } catch {
            guard case CoreStoreError.userError(let inner) = error, inner is Stop else { throw error }
            return false
        }
    }

    private func mayBeSaved(_ report: ImportReport, _ refused: [Int: RefusedRecord]) -> Bool {
        refused.isEmpty && (report.refusedCount == 0 || options.refusals == .keepOthers)
    }

    private func beginProgress() {
        guard let progress = options.progress else { return }
        let size = try? file.url.resourceValues(forKeys: [.fileSizeKey]).fileSize
        progress.totalUnitCount = Int64(size ?? -1)
        progress.completedUnitCount = 0
    }

    /// - Throws: `CoreStoreError.userCancelled` if the import is cancelled.
    private func advance(to byteCount: Int64, _ recordCount: Int) throws {
        options.progress?.completedUnitCount = byteCount
        options.progress?.setUserInfoObject(recordCount, forKey: .importedRecordCountKey)
        if isCancelled() || options.progress?.isCancelled == true { throw CoreStoreError.userCancelled }
    }

    private func failure(_ error: any Error, _ saved: ImportReport) -> ImportError {
        var error = error
        if case CoreStoreError.userError(let inner) = error, inner is RecordFileError || inner is CoreStoreError {
            error = inner
        }
        let name = file.url.lastPathComponent
        return switch error {
        case let error as RefusedRecords:
            ImportError(file: name, cause: .refusedRecords(error.records), saved: saved, refusedCount: error.count)
        case let error as RecordFileError:
            ImportError(file: name, cause: .file(error), saved: saved, refusedCount: saved.refusedCount)
        case let error as CoreStoreError:
            ImportError(file: name, cause: .transaction(error), saved: saved, refusedCount: saved.refusedCount)
        default:
            ImportError(
                file: name, cause: .transaction(.userError(error: error)), saved: saved,
                refusedCount: saved.refusedCount)
        }
    }
}

/// The records because of which an import ends.
struct RefusedRecords: Error {
    let records: [RefusedRecord]
    let count: Int
}

extension ImportReport {
    /// Adds the counts of a batch and of its transaction.
    mutating func add<Source>(_ batch: RecordBatch<Source>, _ outcome: ImportOutcome, limit: Int) {
        recordCount += batch.records.count + batch.refusedCount
        createdCount += outcome.createdCount
        updatedCount += outcome.updatedCount
        skippedCount += outcome.skippedCount
        refusedCount += batch.refusedCount
        refusals += batch.refusals.prefix(max(0, limit - refusals.count))
    }

    /// The refused records of a report and those that a method of the class has refused, in the order of the file.
    func refusal(_ others: [Int: RefusedRecord], limit: Int) -> RefusedRecords {
        let records = (refusals + others.values).sorted { $0.number < $1.number }
        return RefusedRecords(records: Array(records.prefix(max(1, limit))), count: refusedCount + others.count)
    }
}
