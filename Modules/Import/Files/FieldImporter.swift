import CofferClauses
import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions

/// Copies each key of a record to the stored field of the same name.
struct FieldImporter<O: CoreStoreObject>: RecordImporter {
    private let into: Into<O>
    private let uniqueKeyPath: KeyPathString?
    private let ignoresUnknownKeys: Bool
    private let fields: [RecordField]

    /// - Throws: ``CoreStoreError`` if the class is not in the schema of the stack.
    init(
        _ into: Into<O>, uniqueBy uniqueKeyPath: KeyPathString?, ignoresUnknownKeys: Bool, in binding: SchemaBinding
    ) throws(CoreStoreError) {
        guard let entity = binding.entity(of: into.entityClass) else {
            throw .persistentStoreNotFound(entity: into.entityClass)
        }
        self.into = into
        self.uniqueKeyPath = uniqueKeyPath
        self.ignoresUnknownKeys = ignoresUnknownKeys
        fields = binding.layout.entities[entity].columns.compactMap { column in
            guard case .attribute(let type) = column.role, type != .objectIDAttributeType else { return nil }
            return RecordField(name: column.name, type: type, isOptional: column.isOptional)
        }
    }

    func makeReader(_ file: RecordFile) throws(RecordFileError) -> RecordReader<FieldRecord> {
        try RecordReader(file, fields: fields, ignoresUnknownKeys: ignoresUnknownKeys)
    }

    func `import`(
        _ records: [ImportedRecord<FieldRecord>], in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws {
        if let uniqueKeyPath {
            try `import`(records, uniqueBy: uniqueKeyPath, in: transaction, &outcome)
        } else {
            for record in records { fill(transaction.create(into), from: record.source) }
            outcome.createdCount += records.count
        }
    }

    private func `import`(
        _ records: [ImportedRecord<FieldRecord>], uniqueBy uniqueKeyPath: KeyPathString,
        in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws {
        let lookup = try AttributeLookup(From(into.entityClass), uniqueKeyPath, in: transaction._graph)
        let place = fields.firstIndex { $0.name == uniqueKeyPath }
        // The records of each id in their order: each may have other keys.
        var groups: [(key: Value, records: [FieldRecord])] = []
        var places: [Value: Int] = [:]
        for record in records {
            guard let place, case .value(let id) = record.source.values[place], !id.isNull else {
                outcome.refused[record.number] = RefusedRecord(
                    line: record.line, number: record.number, key: uniqueKeyPath,
                    reason: "The record has no value for the unique key.")
                continue
            }
            let key = lookup.key(id)
            if let group = places[key] {
                groups[group].records.append(record.source)
            } else {
                places[key] = groups.count
                groups.append((key, [record.source]))
            }
        }
        let existing = try lookup.objects(groups.map(\.key))
        for group in groups {
            let found = try lookup.object(group.key, formerly: existing[group.key])
            let object = found ?? transaction.create(into)
            for record in group.records { fill(object, from: record) }
            outcome.createdCount += found == nil ? 1 : 0
            outcome.updatedCount += group.records.count - (found == nil ? 1 : 0)
        }
    }

    /// Copies the values of a record.
    ///
    /// A key that the record does not have leaves the field as it is.
    private func fill(_ object: O, from record: FieldRecord) {
        for (field, value) in zip(fields, record.values) {
            if case .value(let value) = value { _ = object.setAttribute(value, field.name) }
        }
    }
}
