public import Foundation

/// How an import from a file treats transactions, refused records and progress.
///
/// ```swift
/// let options = ImportOptions(transactions: .batches(of: 10_000), refusals: .keepOthers)
/// ```
public struct ImportOptions: Sendable {
    /// How the records are divided among transactions.
    public enum Transactions: Sendable, Hashable {
        /// One transaction saves all records or none.
        ///
        /// The transaction holds every new and changed object in memory until it is saved. The file is read during the
        /// transaction, so other transactions of the stack wait until the import ends.
        case one
        /// Each transaction saves some records.
        ///
        /// The import needs the memory of one batch, whatever the size of the file. An error ends the import, and leaves the
        /// batches before it in the store. Other transactions may run between two batches, and while the file is read.
        case batches(of: Int)
    }

    /// The treatment of the other records if some records are refused.
    public enum Refusals: Sendable, Hashable {
        /// The import throws an error that lists the refused records. With one transaction, nothing is saved. With batches,
        /// the batch of the first refused record and the batches after it are not saved.
        case refuseAll
        /// The other records are imported. The report lists the refused records.
        ///
        /// If a method of the class refuses records, the transaction is repeated without these records. With one transaction,
        /// the import reads the file again for that. If the class refuses several records with the id of a stored object,
        /// each of these records can cost another repetition. Batches repeat only the batch, from memory.
        case keepOthers
    }

    /// How the records are divided among transactions.
    public var transactions: Transactions
    /// The treatment of the other records if some records are refused.
    public var refusals: Refusals
    /// How many refused records the report describes.
    ///
    /// It counts all of them. A negative number counts as 0. An error describes at least one record.
    public var refusalLimit: Int
    /// For imports by the names of fields, whether records may have keys that are no fields.
    public var ignoresUnknownKeys: Bool
    /// Follows the bytes of the file, and the number of records: `progress.importedRecordCount`.
    ///
    /// If it is cancelled, the import ends with `CoreStoreError.userCancelled`.
    public var progress: Progress? { didSet { progress?.addRecordCounter() } }

    /// By default, one transaction saves all records, and one refused record fails the import.
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
