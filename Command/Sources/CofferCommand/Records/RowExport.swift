import CofferRecords
import CofferStorage
import Foundation

/// Exports the rows of an entity as records, in pages of 2,000 rows.
struct RowExport {
    let store: any StorageInterface
    let fields: EntityFields
    let format: RecordFormat

    private static let pageSize = 2_000

    /// Writes the rows of one snapshot.
    ///
    /// - Returns: the number of rows.
    func write(to handle: FileHandle, name: String) throws -> Int {
        var writer = try RecordWriter(
            to: handle, format: format, keys: fields.fields.map(\.record.name), name: name)
        let reader = try store.makeReader()
        defer { reader.finish() }
        let keys = try reader.keys(RowRequest(entity: fields.entity.index, includesSubentities: false))
        var start = 0
        while start < keys.count {
            let page = Array(keys[start..<min(start + Self.pageSize, keys.count)])
            let rows = try reader.rows(root: fields.entity.root, keys: page).sorted { $0.key < $1.key }
            let related = try relatedValues(rows, reader)
            for row in rows { try writer.write(values(of: row, related)) }
            start += page.count
        }
        try writer.finish()
        return keys.count
    }

    private func values(of row: Row, _ related: [[Int64: Value]]) -> [RecordValue] {
        fields.fields.enumerated().map { place, field in
            let kind = fields.entity.columns[field.slot].kind
            guard field.reference != nil else { return .value(row.value(field.slot, kind)) }
            guard case .integer(let key) = reference(row, field.slot) else { return .value(.null) }
            return .value(related[place][key] ?? .null)
        }
    }

    private func reference(_ row: Row, _ slot: Int) -> Value {
        row.isNull(slot) ? .null : .integer(row.integer(slot))
    }

    /// Returns the unique values of the related rows by their keys, for each field that is a reference.
    private func relatedValues(_ rows: [Row], _ reader: any StorageReader) throws -> [[Int64: Value]] {
        try fields.fields.map { field in
            guard let reference = field.reference else { return [:] }
            let keys = Set(rows.compactMap { $0.isNull(field.slot) ? nil : $0.integer(field.slot) })
            let kind = reference.destination.columns[reference.slot].kind
            var values: [Int64: Value] = [:]
            for row in try reader.rows(root: reference.destination.root, keys: Array(keys)) {
                values[row.key] = row.value(reference.slot, kind)
            }
            return values
        }
    }
}
