public import CofferRecords

/// The report of an import from a file: the counts of records, and the first refused records.
public struct ImportReport: Sendable, CustomStringConvertible {
    /// The number of records that were read.
    public internal(set) var recordCount = 0
    /// The number of records that created an object.
    public internal(set) var createdCount = 0
    /// The number of records that updated an object.
    ///
    /// A record with the id of an earlier record is part of this number.
    public internal(set) var updatedCount = 0
    /// The number of records that the class left out.
    ///
    /// For these records, `shouldInsert` or `shouldUpdate` returned false, or `uniqueID` returned nil.
    public internal(set) var skippedCount = 0
    /// The number of records that were refused.
    public internal(set) var refusedCount = 0
    /// The first refused records, as many as ``ImportOptions/refusalLimit`` allows.
    public internal(set) var refusals: [RefusedRecord] = []

    /// The counts, in one line.
    public var description: String {
        "\(recordCount) records: \(createdCount) created, \(updatedCount) updated, \(skippedCount) skipped, "
            + "\(refusedCount) refused"
    }

    /// Adds the counts of a batch, except the created, updated and skipped records, which an importer counts.
    mutating func add<Source>(_ batch: RecordBatch<Source>, limit: Int) {
        recordCount += batch.records.count + batch.refusedCount
        refusedCount += batch.refusedCount
        refusals += batch.refusals.prefix(limit - min(limit, refusals.count))
    }

    /// Returns the report with at most as many refused records as the limit.
    func describing(_ limit: Int) -> ImportReport {
        var report = self
        report.refusals = Array(refusals.prefix(max(0, limit)))
        return report
    }
}
