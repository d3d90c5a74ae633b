import CofferRecords
import CofferStorage
import Foundation

/// Converts imported records to the new and changed rows of one commit; refuses missing values and unknown references.
struct RowDraft {
    /// A record that could be decoded.
    struct Record {
        let line: Int
        let number: Int
        /// The record's value for each field of the entity.
        var values: [RecordValue]

        func refusal(_ key: String?, _ reason: String) -> RefusedRecord {
            RefusedRecord(line: line, number: number, key: key, reason: reason)
        }
    }

    /// A row that records create or change.
    private struct Edit {
        /// The stored row; nil for a new row.
        let base: Row?
        var values: [Value]
        var columns = ColumnSet()
    }

    private let store: any StorageInterface
    private let layout: ModelLayout
    private let fields: EntityFields
    private let unique: EntityFields.Field?
    private var edits: [Edit] = []
    /// The places in `edits` by the values of the unique field.
    private var places: [Value: Int] = [:]
    private(set) var recordCount = 0
    private var updatedCount = 0

    init(_ store: any StorageInterface, _ layout: ModelLayout, _ fields: EntityFields, _ unique: EntityFields.Field?) {
        self.store = store
        self.layout = layout
        self.fields = fields
        self.unique = unique
    }

    /// Adds records.
    ///
    /// - Returns: the records that are refused, in their order.
    mutating func add(_ records: [Record], _ finder: RowFinder) throws -> [RefusedRecord] {
        recordCount += records.count
        let reader = try store.makeReader()
        defer { reader.finish() }
        var refused: [RefusedRecord] = []
        let resolved = try resolveReferences(records, &refused, finder, reader)
        let stored = try storedRows(resolved, finder, reader)
        for record in resolved {
            if let refusal = edit(record, stored) { refused.append(refusal) }
        }
        return refused.sorted { $0.number < $1.number }
    }

    /// Commits the rows.
    ///
    /// - Returns: the number of records that have created and updated rows.
    func commit() throws(StorageError) -> (created: Int, updated: Int) {
        var changes = ChangeSet()
        let root = fields.entity.root
        let created = edits.count { $0.base == nil }
        var keys: Range<Int64> = 0..<0
        if created > 0 { keys = try store.reserveKeys(created, root: root) }
        for edit in edits where edit.base == nil || !edit.columns.isEmpty {
            let entity = layout.entities[edit.base?.entity ?? fields.entity.index]
            let row = Row.make(
                entity: entity.index, key: edit.base?.key ?? keys.removeFirst(), version: edit.base?.version ?? 1,
                values: edit.values, kinds: entity.kinds)
            guard let row else {
                throw StorageError(.invalidValue, "A value does not fit its column in '\(entity.name)'.")
            }
            if edit.base == nil {
                changes.inserts.append(.init(row: row))
            } else {
                changes.updates.append(.init(row: row, columns: edit.columns))
            }
        }
        // A new row must not overwrite a stored row that has its unique values.
        changes.uniqueConstraintPolicies[root] = layout.entities[root].uniqueConstraints.map { _ in .throwError }
        if !changes.isEmpty { _ = try store.commit(changes) }
        return (created, updatedCount)
    }

    /// Replaces the unique values of related rows with the keys of these rows.
    private func resolveReferences(
        _ records: [Record], _ refused: inout [RefusedRecord], _ finder: RowFinder, _ reader: any StorageReader
    ) throws(StorageError) -> [Record] {
        var records = records
        for (place, field) in fields.fields.enumerated() {
            guard let reference = field.reference else { continue }
            let wanted = Set(records.compactMap { $0.value(place) })
            let rows = try finder.rows(reference.destination, slot: reference.slot, values: wanted, reader)
            var resolved: [Record] = []
            for var record in records {
                if let value = record.value(place) {
                    guard let row = rows[value] else {
                        let column = reference.destination.columns[reference.slot].name
                        let reason = "No '\(reference.destination.name)' has this value of '\(column)'."
                        refused.append(record.refusal(field.record.name, reason))
                        continue
                    }
                    record.values[place] = .value(.integer(row.key))
                }
                resolved.append(record)
            }
            records = resolved
        }
        return records
    }

    /// The stored rows that have the unique values of some records.
    private func storedRows(
        _ records: [Record], _ finder: RowFinder, _ reader: any StorageReader
    ) throws(StorageError) -> [Value: Row] {
        guard let unique, let place = uniquePlace else { return [:] }
        let values = Set(records.compactMap { $0.value(place) }).subtracting(places.keys)
        return try finder.rows(fields.entity, slot: unique.slot, values: values, reader)
    }

    private var uniquePlace: Int? { fields.fields.firstIndex { $0.slot == unique?.slot } }

    /// Creates or changes the row of a record.
    ///
    /// - Returns: the reason that the record is refused; nil if the record is accepted.
    private mutating func edit(_ record: Record, _ stored: [Value: Row]) -> RefusedRecord? {
        guard let unique, let place = uniquePlace else { return append(record, nil) }
        guard let id = record.value(place) else {
            return record.refusal(unique.record.name, "The record has no value for the key.")
        }
        if let known = places[id] {
            fill(&edits[known], record)
            updatedCount += 1
            return nil
        }
        let base = stored[id]
        if let refusal = append(record, base) { return refusal }
        places[id] = edits.count - 1
        if base != nil { updatedCount += 1 }
        return nil
    }

    private mutating func append(_ record: Record, _ base: Row?) -> RefusedRecord? {
        let entity = layout.entities[base?.entity ?? fields.entity.index]
        let values = entity.columns.enumerated().map { slot, column in
            base.map { $0.value(slot, column.kind) } ?? column.defaultValue
        }
        var edit = Edit(base: base, values: values)
        fill(&edit, record)
        let missing = entity.columns.indices.first { !entity.columns[$0].isOptional && edit.values[$0].isNull }
        if base == nil, let missing {
            return record.refusal(entity.columns[missing].name, "The key is missing, and a value is required.")
        }
        edits.append(edit)
        return nil
    }

    private func fill(_ edit: inout Edit, _ record: Record) {
        for (field, value) in zip(fields.fields, record.values) {
            guard case .value(let value) = value, edit.values[field.slot] != value else { continue }
            edit.values[field.slot] = value
            edit.columns.insert(field.slot)
        }
    }
}

extension RowDraft.Record {
    /// The value of a field; nil if there is none, or if it is null.
    func value(_ place: Int) -> Value? {
        guard case .value(let value) = values[place], !value.isNull else { return nil }
        return value
    }
}
