import CofferRecords
import CofferSchema
import CofferTransactions

/// Creates and updates objects from a batch of records.
protocol RecordImporter {
    associatedtype Source: Decodable

    /// A reader of the records of a file.
    func makeReader(_ file: RecordFile) throws(RecordFileError) -> RecordReader<Source>

    /// Imports records that could be decoded, in their order.
    ///
    /// - Parameter outcome: counts the records. An error of a method of the class refuses one record.
    /// - Throws: ``CoreStoreError`` if objects could not be looked up.
    func `import`(
        _ records: [ImportedRecord<Source>], in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws
}

/// A record that could be decoded.
struct ImportedRecord<Source> {
    let line: Int
    let number: Int
    let source: Source

    func refusal(_ error: any Error) -> RefusedRecord { RefusedRecord(line: line, number: number, error: error) }
}

/// The counts of the records of a transaction.
struct ImportOutcome {
    var createdCount = 0
    var updatedCount = 0
    var skippedCount = 0
    /// The records that a method of the class has refused, by their numbers.
    ///
    /// Their objects may be changed in part, so the
    /// transaction must not be saved.
    var refused: [Int: RefusedRecord] = [:]
}
