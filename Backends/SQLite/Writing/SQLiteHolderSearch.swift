import CofferSQL
import CofferStorage

/// Finds the rows that have the unique values of many new rows, by one statement for each part of a change set.
///
/// A search costs about a quarter of an insert that finds its values taken. New rows are therefore searched only while
/// at least every fifth new row has the unique values of another row. A row that is not found is inserted as usual.
struct SQLiteHolderSearch {
    private let connection: SQLiteConnection
    private let tables: SQLiteTables
    private let inserts: [ChangeSet.Insert]
    /// The other rows of the last part, by the place of the new row.
    private var holders: [Int: Row] = [:]
    /// The end of the last part.
    private var end = 0
    /// Rises with each merge, and falls with each row that was not merged.
    private var score = 0

    /// The most new rows that one statement finds.
    private static var partSize: Int { 512 }
    /// The bytes after which a statement gets no more values, far below the limit of SQLite.
    private static var byteLimit: Int { 1 << 20 }
    /// The score from which on parts are searched.
    private static var threshold: Int { 16 }

    init(_ connection: SQLiteConnection, _ tables: SQLiteTables, _ inserts: [ChangeSet.Insert]) {
        self.connection = connection
        self.tables = tables
        self.inserts = inserts
    }

    /// Returns the row that has the unique values of a new row; nil if there is none, and if the row was not searched.
    @inline(__always)
    mutating func holder(of index: Int) throws(StorageError) -> Row? {
        guard score >= Self.threshold || index < end else { return nil }
        if index >= end { try search(from: index) }
        return holders[index]
    }

    /// Notes whether a row was merged.
    @inline(__always)
    mutating func note(isMerged: Bool) {
        score = isMerged ? min(score + 4, 4 * Self.threshold) : max(score - 1, 0)
    }

    private mutating func search(from start: Int) throws(StorageError) {
        holders = [:]
        end = start
        let entity = tables.layout.entities[inserts[start].row.entity]
        // With several constraints, the merge of a row may free the values of another.
        guard entity.uniqueConstraints.count == 1, let slot = entity.uniqueConstraints[0].first,
            entity.uniqueConstraints[0].count == 1
        else { return }
        let kind = entity.kinds[slot]
        var json: [UInt8] = [UInt8(ascii: "[")]
        while end < inserts.count, end - start < Self.partSize, json.count < Self.byteLimit,
            inserts[end].row.entity == entity.index
        {
            if end > start { json.append(UInt8(ascii: ",")) }
            json.append(inserts[end].row, slot, kind)
            end += 1
        }
        json.append(UInt8(ascii: "]"))
        let text = tables.queries.holders(
            root: entity.root, constraint: 0, in: "json_each(?) l CROSS", label: "l.key", values: ["l.value"])
        let statement = try connection.statement(text)
        defer { statement.reset() }
        let decoder = tables.decoders[entity.root]
        try statement.bind(String(decoding: json, as: UTF8.self), 1)
        while try statement.step() {
            let index = start + Int(statement.integer(decoder.columnCount))
            let holder = try decoder.row(statement)
            guard index < end, holder.key != inserts[index].row.key,
                inserts[index].row.hasSameValue(slot, kind, as: holder)
            else { continue }
            holders[index] = holder
        }
    }
}

extension [UInt8] {
    /// Appends a value in JSON, or a null if JSON would not have the value as it is.
    fileprivate mutating func append(_ row: Row, _ slot: Int, _ kind: ColumnKind) {
        if !row.isNull(slot) {
            switch kind {
            case .integer, .reference: return append(contentsOf: "\(row.integer(slot))".utf8)
            case .text:
                let start = count
                append(UInt8(ascii: "\""))
                let isPlain = row.withBytes(slot) { bytes in
                    append(contentsOf: bytes)
                    return bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
                }
                append(UInt8(ascii: "\""))
                if isPlain { return }
                removeLast(count - start)
            default: break
            }
        }
        append(contentsOf: "null".utf8)
    }
}
