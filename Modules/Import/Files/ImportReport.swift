public import CofferRecords

/// What an import from a file did.
public struct ImportReport: Sendable, CustomStringConvertible {
    /// The number of records that were read.
    public internal(set) var recordCount = 0
    /// The number of records that created an object.
    public internal(set) var createdCount = 0
    /// The number of records that updated an object.
    ///
    /// A record with the id of an earlier record counts here.
    public internal(set) var updatedCount = 0
    /// The number of records that the class left out: `shouldInsert` or `shouldUpdate` returned false, or `uniqueID` returned
    /// nil.
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

    mutating func add(_ other: ImportReport, limit: Int) {
        recordCount += other.recordCount
        createdCount += other.createdCount
        updatedCount += other.updatedCount
        skippedCount += other.skippedCount
        refusedCount += other.refusedCount
        refusals += other.refusals.prefix(max(0, limit - refusals.count))
    }
}
