import CofferClauses
import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions

/// Updates the object with the unique id of each record, or creates it.
struct UniqueObjectImporter<O: ImportableUniqueObject>: RecordImporter where O.ImportSource: Decodable {
    /// The records with one id.
    private struct Entry {
        var record: ImportedRecord<O.ImportSource>
        let id: O.UniqueIDType
        let key: Value
        /// How many records have the id.
        var count = 1
    }

    let into: Into<O>

    func makeReader(_ file: RecordFile) throws(RecordFileError) -> RecordReader<O.ImportSource> {
        try RecordReader(file)
    }

    func `import`(
        _ records: [ImportedRecord<O.ImportSource>], in transaction: BaseDataTransaction,
        _ outcome: inout ImportOutcome
    ) throws {
        let type = into.entityClass
        let lookup = try AttributeLookup(From(type), type.uniqueIDKeyPath, in: transaction._graph)
        // Of several records with one id, the last one counts, in the place of the first.
        var entries: [Entry] = []
        var places: [Value: Int] = [:]
        for record in records {
            do {
                guard let id = try type.uniqueID(from: record.source, in: transaction) else {
                    outcome.skippedCount += 1
                    continue
                }
                let key = lookup.key(id._queryValue)
                if let place = places[key] {
                    entries[place].record = record
                    entries[place].count += 1
                } else {
                    places[key] = entries.count
                    entries.append(Entry(record: record, id: id, key: key))
                }
            } catch {
                outcome.refused[record.number] = record.refusal(error)
            }
        }
        let existing = try lookup.objects(entries.map(\.key))
        for entry in entries {
            let object = try lookup.object(entry.key, formerly: existing[entry.key])
            do {
                try `import`(entry.record.source, entry.id, object, transaction, entry.count, &outcome)
            } catch {
                outcome.refused[entry.record.number] = entry.record.refusal(error)
            }
        }
    }

    private func `import`(
        _ source: O.ImportSource, _ id: O.UniqueIDType, _ object: O?, _ transaction: BaseDataTransaction,
        _ count: Int, _ outcome: inout ImportOutcome
    ) throws {
        if let object {
            guard into.entityClass.shouldUpdate(from: source, in: transaction) else {
                return outcome.skippedCount += count
            }
            try object.update(from: source, in: transaction)
            outcome.updatedCount += count
        } else if into.entityClass.shouldInsert(from: source, in: transaction) {
            let object = transaction.create(into)
            object.uniqueIDValue = id
            try object.didInsert(from: source, in: transaction)
            outcome.createdCount += 1
            outcome.updatedCount += count - 1
        } else {
            outcome.skippedCount += count
        }
    }
}
