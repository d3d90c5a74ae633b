public import Foundation

/// The options of an import from a file, with their defaults: transactions, refused records and their limit, progress.
///
/// ```swift
/// let options = ImportOptions(transactions: .batches(of: 10_000), refusals: .keepOthers)
/// ```
public struct ImportOptions: Sendable {
    /// The division of the records among transactions.
    public enum Transactions: Sendable, Hashable {
        /// One transaction saves all records or none.
        ///
        /// The transaction holds every new and changed object in memory until it is saved. The file is read during the
        /// transaction, so other transactions of the stack wait until the import ends.
        case one
        /// Each transaction saves some records.
        ///
        /// The import needs the memory of one batch, even for a large file. An error ends the import, and earlier
        /// batches stay in the store. Other transactions may run between two batches, and while the file is read.
        case batches(of: Int)
    }

    /// The treatment of the other records if some records are refused.
    public enum Refusals: Sendable, Hashable {
        /// The import throws an error that lists the refused records.
        ///
        /// With one transaction, nothing is saved. With batches, the batch of the first refused record and the batches
        /// after it are not saved.
        case refuseAll
        /// The other records are imported, and the report lists the refused records.
        ///
        /// If a method of the class refuses records, the import repeats the transaction without these records. With one
        /// transaction, the import reads the file again for the repetition. If the class refuses several records with
        /// the id of a stored object, each of these records can cause another repetition. With batches, the import
        /// repeats only the batch, from memory.
        case keepOthers
    }

    /// The division of the records among transactions.
    public var transactions: Transactions
    /// The treatment of the other records if some records are refused.
    public var refusals: Refusals
    /// The maximum number of refused records that the report describes.
    ///
    /// The report counts all refused records. A negative limit is the same as 0. An error describes at least one
    /// record.
    public var refusalLimit: Int
    /// Whether records may have keys without a field, in an import by the names of fields.
    public var ignoresUnknownKeys: Bool
    /// The progress of the import: the bytes of the file, and the number of records in `progress.importedRecordCount`.
    ///
    /// If the progress is cancelled, the import ends with `CoreStoreError.userCancelled`.
    public var progress: Progress? { didSet { progress?.addRecordCounter() } }

    /// Creates options.
    ///
    /// By default, one transaction saves all records, and one refused record refuses the whole import.
    public init(
        transactions: Transactions = .one, refusals: Refusals = .refuseAll, refusalLimit: Int = 100,
        ignoresUnknownKeys: Bool = false, progress: Progress? = nil
    ) {
        self.transactions = transactions
        self.refusals = refusals
        self.refusalLimit = refusalLimit
        self.ignoresUnknownKeys = ignoresUnknownKeys
        self.progress = progress
        progress?.addRecordCounter()
    }
}
