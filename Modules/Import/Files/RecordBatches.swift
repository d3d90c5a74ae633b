import CofferRecords

/// A batch of the records of a file, which are imported together.
struct RecordBatch<Source> {
    fileprivate(set) var records: [ImportedRecord<Source>] = []
    fileprivate(set) var refusals: [RefusedRecord] = []
    fileprivate(set) var refusedCount = 0

    /// Moves records to the refused records.
    mutating func refuse(_ others: RefusalTable, limit: Int) {
        records.removeAll { others.contains($0.number) }
        refusedCount += others.count
        let all = (refusals + others.firstRecords).sorted { $0.number < $1.number }
        refusals = Array(all.prefix(limit))
    }
}

/// Reads the records of a file in batches, and leaves out records that were refused before.
struct RecordBatches<Source: Decodable> {
    var reader: RecordReader<Source>
    /// The records that are refused already.
    let excluded: RefusalTable
    let limit: Int
    /// Throws the error for which a record is refused.
    let check: (Source) throws -> Void

    var byteCount: Int64 { reader.byteCount }

    /// Closes the file.
    func close() { reader.close() }

    /// Returns the next records, at most `size`; nil at the end of the file.
    mutating func next(_ size: Int) throws(RecordFileError) -> RecordBatch<Source>? {
        var batch = RecordBatch<Source>()
        while batch.records.count + batch.refusedCount < size, let record = try reader.next() {
            switch record.content {
            case .failure(let refused): refuse(refused, &batch)
            case .success(let source):
                if excluded.contains(record.number) {
                    refuse(excluded.record(record.number), &batch)
                    continue
                }
                do {
                    try check(source)
                    batch.records.append(ImportedRecord(line: record.line, number: record.number, source: source))
                } catch {
                    refuse(RefusedRecord(line: record.line, number: record.number, error: error), &batch)
                }
            }
        }
        return batch.records.isEmpty && batch.refusedCount == 0 ? nil : batch
    }

    private func refuse(_ refused: RefusedRecord?, _ batch: inout RecordBatch<Source>) {
        batch.refusedCount += 1
        if let refused, batch.refusals.count < limit { batch.refusals.append(refused) }
    }
}
