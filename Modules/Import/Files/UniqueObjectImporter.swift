import CofferClauses
import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions

/// Imports records with unique ids: updates the object with the id of each record, or creates it.
struct UniqueObjectImporter<O: ImportableUniqueObject>: RecordImporter where O.ImportSource: Decodable {
    /// The records with one id.
    private struct Entry {
        var records: [ImportedRecord<O.ImportSource>]
        let id: O.UniqueIDType
    }

    let into: Into<O>
    /// Whether an earlier record replaces a refused record with the same id.
    let keepsOthers: Bool

    func `import`(
        _ records: [ImportedRecord<O.ImportSource>], in transaction: BaseDataTransaction,
        _ outcome: inout ImportOutcome
    ) throws {
        let type = into.entityClass
        let lookup = try AttributeLookup(From(type), type.uniqueIDKeyPath, in: transaction._graph)
        // If several records have one id, the last record is used, in the place of the first.
        var entries: [Entry] = []
        var keys = lookup.makeKeys()
        for record in records {
            do {
                guard let id = try type.uniqueID(from: record.source, in: transaction) else {
                    outcome.report.skippedCount += 1
                    continue
                }
                let key = lookup.key(id._queryValue)
                guard lookup.canHold(key) else {
                    let reason = "The attribute '\(type.uniqueIDKeyPath)' cannot have the value '\(id)'."
                    outcome.refused.add(record.refusal(reason: reason))
                    continue
                }
                let (place, isNew) = keys.add(key)
                if isNew {
                    entries.append(Entry(records: [record], id: id))
                } else {
                    entries[place].records.append(record)
                }
            } catch {
                outcome.refused.add(try record.refusal(error))
            }
        }
        let existing = try lookup.objects(keys)
        for (place, entry) in entries.enumerated() {
            let key = keys.values[place]
            var object = try lookup.object(key, formerly: existing[place])
            let isNew = object == nil
            // A refused record ends the transaction in any case. For a new object, the import tries the earlier
            // records at once, because each of them may be refused too, and would need another pass over the file. An
            // existing object may have been changed in part, so a trial with it would not be valid.
            for record in entry.records.reversed().prefix(keepsOthers ? entry.records.count : 1) {
                do {
                    let count = entry.records.count
                    let found = try transaction.updateOrInsert(into, record.source, id: entry.id, object: object)
                    switch found?.isNew {
                    case nil: outcome.report.skippedCount += count
                    case false?: outcome.report.updatedCount += count
                    case true?:
                        outcome.report.createdCount += 1
                        outcome.report.updatedCount += count - 1
                    }
                    break
                } catch {
                    outcome.refused.add(try record.refusal(error))
                    guard isNew else { break }
                    // The next record creates the object, as it will without the refused record.
                    object = try lookup.object(key, formerly: nil)
                    if let object { transaction.delete(objectIDs: [object.cs_id()]) }
                    object = nil
                }
            }
        }
    }
}
