import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions
import Foundation

/// Runs one import from a file: its transactions, progress and errors; repeats the import without refused records.
///
/// The thread that calls ``run()`` reads the file and imports the records. It must be a thread that may block.
struct FileImport<Importer: RecordImporter> {
    let stack: DataStack
    let file: RecordFile
    let options: ImportOptions
    let makeImporter: (DataStack) throws(CoreStoreError) -> Importer
    /// Whether the import must end: its task or its progress is cancelled.
    let isCancelled: @Sendable () -> Bool

    /// The number of records that are decoded and then imported together.
    private static var batchSize: Int { 5_000 }

    /// The maximum number of described refused records: an error describes at least one.
    private var limit: Int { max(1, options.refusalLimit) }

    /// Imports the whole file.
    func run() throws(ImportError) -> ImportReport {
        var saved = ImportReport()
        do {
            let importer = try makeImporter(stack)
            let identity = FileIdentity(file.url)
            beginProgress(identity)
            switch options.transactions {
            case .one: saved = try importAtOnce(importer, identity)
            case .batches(let size): try importInBatches(importer, of: max(1, size), &saved)
            }
            endProgress()
            return saved.describing(options.refusalLimit)
        } catch {
            throw failure(error, saved)
        }
    }

    /// Imports all records in one transaction.
    ///
    /// A record that a method of the class refuses may have changed objects in part. So the transaction is cancelled
    /// at the end of the file, and repeated without the refused records.
    private func importAtOnce(_ importer: Importer, _ identity: FileIdentity) throws -> ImportReport {
        var excluded = RefusalTable(limit: limit)
        var count: Int?
        while true {
            if count != nil { try identity.checkUnchanged(file) }
            var outcome = ImportOutcome(refused: RefusalTable(limit: limit))
            // The first records are read before the transaction begins. If the file cannot be opened, or has no data
            // yet, no other transaction has to wait.
            var batches = try batches(importer, excluded)
            // The next writer of a pipe must not find this reader.
            defer { batches.close() }
            var next = try batches.next(Self.batchSize)
            let isSaved = try perform { transaction in
                while let batch = next {
                    try importer.import(batch.records, in: transaction, &outcome)
                    outcome.report.add(batch, limit: limit)
                    try advance(to: batches.byteCount, outcome.report.recordCount)
                    next = try batches.next(Self.batchSize)
                }
                if let count { try checkRepeated(outcome.report.recordCount, count, identity) }
                return mayBeSaved(outcome)
            }
            if isSaved { return outcome.report }
            count = outcome.report.recordCount
            guard options.refusals == .keepOthers else { throw outcome.refusal(limit: limit) }
            excluded.add(outcome.refused)
        }
    }

    private func batches(
        _ importer: Importer, _ excluded: RefusalTable
    ) throws -> RecordBatches<Importer.Source> {
        RecordBatches(
            reader: try importer.makeReader(file, isCancelled), excluded: excluded, limit: limit, check: importer.check)
    }

    /// Checks that a file that was read again is the same as before.
    private func checkRepeated(_ count: Int, _ former: Int, _ identity: FileIdentity) throws(RecordFileError) {
        try identity.checkUnchanged(file)
        guard former != count else { return }
        throw RecordFileError(
            .unavailable, file: file.url.lastPathComponent,
            reason: "The file had \(former) records, but \(count) records when it was read again without the refused "
                + "records. Use a file that does not change, or import in batches.")
    }

    /// Imports the records with a transaction for each batch.
    private func importInBatches(_ importer: Importer, of size: Int, _ saved: inout ImportReport) throws {
        var batches = try batches(importer, RefusalTable(limit: limit))
        defer { batches.close() }
        while let batch = try batches.next(size) {
            saved = try importBatch(importer, batch, after: saved)
            try advance(to: batches.byteCount, saved.recordCount)
        }
    }

    /// Imports the records of a batch in one transaction.
    ///
    /// - Returns: the report of the earlier batches and of this one.
    private func importBatch(
        _ importer: Importer, _ batch: RecordBatch<Importer.Source>, after saved: ImportReport
    ) throws -> ImportReport {
        var batch = batch
        while true {
            var outcome = ImportOutcome(report: saved, refused: RefusalTable(limit: limit))
            let isSaved = try perform { transaction in
                try importer.import(batch.records, in: transaction, &outcome)
                outcome.report.add(batch, limit: limit)
                return mayBeSaved(outcome)
            }
            if isSaved { return outcome.report }
            guard options.refusals == .keepOthers else { throw outcome.refusal(limit: limit) }
            batch.refuse(outcome.refused, limit: limit)
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
                synchronous: { transaction in
                    let failures = ReadFailures(transaction._graph.state.failures)
                    if try EnclosingWork(failures).during({ try body(transaction) }) { return }
                    // The records may be refused because of a read that failed.
                    if let failure = failures.first { throw CoreStoreError(storage: failure) }
                    throw Stop()
                }, waitForAllObservers: false)
            return true
        } catch {
            guard case CoreStoreError.userError(let inner) = error, inner is Stop else { throw error }
            return false
        }
    }

    private func mayBeSaved(_ outcome: ImportOutcome) -> Bool {
        outcome.refused.isEmpty && (outcome.report.refusedCount == 0 || options.refusals == .keepOthers)
    }

    // MARK: Progress

    private func beginProgress(_ identity: FileIdentity) {
        guard let progress = options.progress else { return }
        progress.totalUnitCount = identity.byteCount ?? -1
        progress.completedUnitCount = 0
        progress.recordCounter?.withLock { $0 = 0 }
    }

    /// - Throws: `CoreStoreError.userCancelled` if the import is cancelled.
    private func advance(to byteCount: Int64, _ recordCount: Int) throws {
        options.progress?.completedUnitCount = byteCount
        options.progress?.recordCounter?.withLock { $0 = recordCount }
        if isCancelled() { throw CoreStoreError.userCancelled }
    }

    private func endProgress() {
        guard let progress = options.progress else { return }
        // The size of a pipe is known at its end. A progress with a total of 0 is never finished.
        if progress.totalUnitCount < 0 { progress.totalUnitCount = progress.completedUnitCount }
        progress.totalUnitCount = max(1, progress.totalUnitCount)
        progress.completedUnitCount = progress.totalUnitCount
    }

    // MARK: Errors

    private func failure(_ error: any Error, _ saved: ImportReport) -> ImportError {
        func failure(_ cause: ImportError.Cause, _ count: Int? = nil) -> ImportError {
            ImportError(
                file: file.url.lastPathComponent, cause: cause, saved: saved.describing(options.refusalLimit),
                refusedCount: count ?? saved.refusedCount, hasSeveralStores: stack.hasSeveralStores)
        }
        return switch error {
        case let error as RefusedRecords: failure(.refusedRecords(error.records), error.count)
        case let error as RecordFileError where error.code == .cancelled: failure(.transaction(.userCancelled))
        case let error as RecordFileError: failure(.file(error))
        // The error that ended a transaction.
        case CoreStoreError.userError(let inner): self.failure(inner, saved)
        case let error as CoreStoreError: failure(.transaction(error))
        case let error as StorageError: failure(.transaction(CoreStoreError(storage: error)))
        case is CancellationError: failure(.transaction(.userCancelled))
        default: failure(.transaction(.userError(error: error)))
        }
    }
}
