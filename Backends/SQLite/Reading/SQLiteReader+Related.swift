import CofferSQL
import CofferStorage
import CofferStorageTools

/// Reads related rows.
extension SQLiteReader {
    func related(_ relationship: Int, of owners: [Int64]) throws(StorageError) -> [RelatedRows] {
        let isOrdered = tables.layout.relationships[relationship].isOrdered
        return try RelatedRows.grouped(isOrdered: isOrdered) { (add) throws(StorageError) in
            try forEachRelated(relationship, of: owners, add)
        }
    }

    func forEachRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) {
        let decoder = tables.decoders[tables.layout.relationships[relationship].destination]
        let ownerSlot = tables.queries.ownerSlot(relationship)
        var sorted = owners
        var isSorted = true
        for index in owners.indices.dropFirst() where owners[index - 1] >= owners[index] { isSorted = false }
        if !isSorted { sorted = Array(Set(owners)).sorted() }
        if try scanRelated(relationship, of: sorted, body) { return }
        try forEachChunk(sorted) { (count) in
            tables.queries.related(relationship, count: count)
        } _: {
            (statement) throws(StorageError) in
            if let ownerSlot {
                _ = try decoder.forEachRow(statement) { row in body(row.integer(ownerSlot), row) }
            } else {
                let column = decoder.columnCount
                _ = try decoder.forEachRow(statement) { row in body(statement.column(column).integer, row) }
            }
        }
    }

    /// Reads the related rows by a scan of their table, if most of its rows belong to the owners.
    ///
    /// - Parameter owners: the keys of the owners, ascending and without repetitions.
    /// - Returns: false if the rows must be read in another way.
    private func scanRelated(
        _ relationship: Int, of owners: [Int64], _ body: (_ owner: Int64, _ row: consuming Row) -> Void
    ) throws(StorageError) -> Bool {
        guard owners.count >= SQLRelatedScan.leastOwnerCount,
            let scan = SQLRelatedScan(relationship, tables.schema, SQLiteDialect()),
            try isWorthwhile(scan, for: owners)
        else { return false }
        let decoder = tables.decoders[tables.layout.relationships[relationship].destination]
        let condition = "\(SQLiteVisitFunction.name)(\(scan.columns))"
        let form = "SELECT 1 FROM \(scan.source) NOT INDEXED WHERE \(condition) ORDER BY \(scan.key)"
        try withoutActuallyEscaping(body) { body throws(StorageError) in
            let rows = ScannedRows(scan, decoder, OwnerPlaces(owners), body)
            try active().visitRows(scan.rows, as: form, count: decoder.columnCount) { columns throws(StorageError) in
                try rows.add(columns)
            }
            rows.end()
        }
        return true
    }

    private func isWorthwhile(_ scan: SQLRelatedScan, for owners: [Int64]) throws(StorageError) -> Bool {
        let sample = SQLRelatedScan.sample(of: owners)
        let statement = try active().statement(scan.estimate(sample.count))
        defer { statement.reset() }
        for (index, owner) in sample.enumerated() { statement.bind(owner, Int32(index + 1)) }
        guard try statement.step(), let first = statement.optionalInteger(1), let last = statement.optionalInteger(2),
            first <= last
        else { return false }
        return SQLRelatedScan.isWorthwhile(
            found: statement.integer(0), of: sample.count, ownerCount: owners.count, keys: first...last)
    }
}

/// Selects the rows of some owners from all rows of a table.
private final class ScannedRows {
    private let decoder: SQLiteRowDecoder
    private let ownerColumn: Int32
    private let places: OwnerPlaces
    private let body: (_ owner: Int64, _ row: consuming Row) -> Void
    // Exclusivity is not checked at run time: no access to one of these properties calls other code while it lasts.
    /// The rows of an ordered relationship.
    @exclusivity(unchecked) private var groups: SQLOwnerGroups?
    @exclusivity(unchecked) private var arena = RowArena()

    init(
        _ scan: SQLRelatedScan, _ decoder: SQLiteRowDecoder, _ places: OwnerPlaces,
        _ body: @escaping (_ owner: Int64, _ row: consuming Row) -> Void
    ) {
        self.decoder = decoder
        ownerColumn = Int32(scan.ownerColumn)
        self.places = places
        self.body = body
        groups = scan.positionSlot.map { SQLOwnerGroups(places, positionSlot: $0) }
    }

    @inline(__always)
    func add(_ columns: SQLiteColumns) throws(StorageError) {
        let column = columns.column(ownerColumn)
        guard column.type == SQLiteStorageClass.integer, case let owner = column.integer,
            places.place(of: owner) != nil
        else { return }
        let row = try decoder.row(columns, in: &arena)
        if groups == nil { body(owner, row) } else { groups?.add(row, of: owner) }
    }

    /// Passes on the rows of an ordered relationship, in their order.
    func end() {
        let groups = groups
        groups?.forEach(body)
    }
}
