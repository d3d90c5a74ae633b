import CofferClauses
import CofferRecords
import CofferTransactions

/// Imports records as new objects: creates an object from each record.
struct ObjectImporter<O: ImportableObject>: RecordImporter where O.ImportSource: Decodable {
    let into: Into<O>

    func `import`(
        _ records: [ImportedRecord<O.ImportSource>], in transaction: BaseDataTransaction,
        _ outcome: inout ImportOutcome
    ) throws {
        for record in records {
            do {
                if try transaction.importObject(into, source: record.source) == nil {
                    outcome.report.skippedCount += 1
                } else {
                    outcome.report.createdCount += 1
                }
            } catch {
                outcome.refused.add(try record.refusal(error))
            }
        }
    }
}
