import CofferSQL
import CofferStorage

/// Finds the rows that have the unique values of many new rows, by one statement for each part of a change set.
///
/// A search costs about a quarter of an insert that finds its values taken. New rows are therefore searched only while
/// at least every fifth new row has the unique values of another row.
struct SQLiteHolderSearch {
    let connection: SQLiteConnection
    let tables: SQLiteTables
    let source: SQLiteRowTable?
    /// The score, which rises with each merge, and falls with each row that was not merged.
    private(set) var score = 0

    /// The maximum number of new rows of one search.
    private static var partSize: Int { 512 }
    /// The minimum score for a search.
    private static var threshold: Int { 16 }

    /// Notes whether a row was merged.
    @inline(__always)
    mutating func note(isMerged: Bool) {
        score = isMerged ? min(score + 4, 4 * Self.threshold) : max(score - 1, 0)
    }

    /// Returns the rows that have the unique values of the first new rows; empty if a search would not be worth it.
    mutating func holders(of rows: ArraySlice<ChangeSet.Insert>) throws(StorageError) -> [Row?] {
        guard score >= Self.threshold, let source, let first = rows.first?.row else { return [] }
        let entity = tables.layout.entities[first.entity]
        // With several constraints, the merge of a row may free the values of another.
        guard entity.uniqueConstraints.count == 1 else { return [] }
        let rows = rows.prefix(Self.partSize).prefix { $0.row.entity == entity.index }
        let text = tables.queries.holders(
            root: entity.root, constraint: 0, in: "\(SQLiteRowTable.name) l CROSS", label: "l.rowid",
            values: entity.uniqueConstraints[0].map { "l.\(SQLiteRowTable.column($0 + 1))" })
        let statement = try connection.statement(text)
        defer { statement.reset() }
        let decoder = tables.decoders[entity.root]
        var arena = RowArena()
        var holders: [Row?] = Array(repeating: nil, count: rows.count)
        try source.holding(rows, entity.kinds) { () throws(StorageError) in
            while try statement.step() {
                let holder = try decoder.row(statement, in: &arena)
                let index = Int(statement.integer(decoder.columnCount))
                if holder.key != rows[rows.startIndex + index].row.key { holders[index] = holder }
            }
        }
        for holder in holders { note(isMerged: holder != nil) }
        return holders
    }
}
