import CofferClauses
import CofferRecords
import CofferSchema
import CofferStorage
import CofferTransactions

/// Imports records into a class without import methods: copies values to fields, and refuses values that do not fit.
struct FieldImporter<O: CoreStoreObject>: RecordImporter {
    private let into: Into<O>
    private let uniqueKeyPath: KeyPathString?
    private let ignoresUnknownKeys: Bool
    private let entity: EntityBinding
    private let slots: [Int]
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
        self.entity = binding.entities[entity]
        let fields = binding.layout.recordFields(of: self.entity.layout)
        slots = fields.map(\.slot)
        self.fields = fields.map(\.field)
    }

    func makeReader(
        _ file: RecordFile, _ isCancelled: @escaping @Sendable () -> Bool
    ) throws(RecordFileError) -> RecordReader<FieldRecord> {
        try RecordReader(
            file, fields: fields, ignoresUnknownKeys: ignoresUnknownKeys, isCancelled: isCancelled)
    }

    /// Checks that the fields of the class can have the values, such as a URL or a raw value of an enumeration.
    func check(_ source: FieldRecord) throws {
        let values = source.values.map { value in if case .value(let value) = value { value } else { Value.null } }
        var content = [Value](repeating: .null, count: entity.layout.kinds.count)
        for (slot, value) in zip(slots, values) { content[slot] = value }
        // Nil if a value is of another kind than its column.
        let row = Row.make(
            entity: entity.layout.index, key: 0, version: 1, values: content, kinds: entity.layout.kinds)
        for (place, value) in values.enumerated() where !value.isNull {
            guard let field = entity.field(slot: slots[place]), let read = field.reading.ofRow else { continue }
            guard let row, read(row, slots[place]) != nil else {
                throw RecordFieldError(key: fields[place].name, reason: "The field cannot have this value.")
            }
        }
    }

    func `import`(
        _ records: [ImportedRecord<FieldRecord>], in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws {
        if let uniqueKeyPath {
            try `import`(records, uniqueBy: uniqueKeyPath, in: transaction, &outcome)
        } else {
            for record in records { fill(transaction.create(into), from: record, &outcome) }
            outcome.report.createdCount += records.count
        }
    }

    private func `import`(
        _ records: [ImportedRecord<FieldRecord>], uniqueBy uniqueKeyPath: KeyPathString,
        in transaction: BaseDataTransaction, _ outcome: inout ImportOutcome
    ) throws {
        let lookup = try AttributeLookup(From(into.entityClass), uniqueKeyPath, in: transaction._graph)
        let place = fields.firstIndex { $0.name == uniqueKeyPath }
        // The records of each id in their order: each record may have other keys.
        var groups: [[ImportedRecord<FieldRecord>]] = []
        var keys = lookup.makeKeys()
        for record in records {
            guard let place, case .value(let id) = record.source.values[place], !id.isNull else {
                let reason = "The record has no value for the unique key."
                outcome.refused.add(record.refusal(key: uniqueKeyPath, reason: reason))
                continue
            }
            let (group, isNew) = keys.add(lookup.key(id))
            if isNew {
                groups.append([record])
            } else {
                groups[group].append(record)
            }
        }
        let existing = try lookup.objects(keys)
        for (place, group) in groups.enumerated() {
            let found = try lookup.object(keys.values[place], formerly: existing[place])
            let object = found ?? transaction.create(into)
            for record in group { fill(object, from: record, &outcome) }
            outcome.report.createdCount += found == nil ? 1 : 0
            outcome.report.updatedCount += group.count - (found == nil ? 1 : 0)
        }
    }

    /// Copies the values of a record.
    ///
    /// If the record does not have a key, the field does not change.
    private func fill(_ object: O, from record: ImportedRecord<FieldRecord>, _ outcome: inout ImportOutcome) {
        for (field, value) in zip(fields, record.source.values) {
            guard case .value(let value) = value, !object.setAttribute(value, field.name) else { continue }
            outcome.refused.add(record.refusal(key: field.name, reason: "The field cannot have this value."))
        }
    }
}
