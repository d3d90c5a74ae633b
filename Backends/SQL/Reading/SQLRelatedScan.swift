import CofferStorage

/// Reads the related rows of many owners by a scan of their table.
///
/// An index finds the rows of the owners one by one, in different parts of the table. If most rows of the table
/// belong to the owners, one scan finds these rows with less work, in the order of their keys. If the relationship is
/// ordered, ``SQLOwnerGroups`` then groups and sorts them.
package struct SQLRelatedScan: Sendable {
    /// The least number of owners for which a scan is considered.
    package static let leastOwnerCount = 64
    /// The greatest number of owners whose rows are counted for the estimate.
    private static let sampleLimit = 256
    /// A scan is worthwhile if the table has at most this many rows for each row of the owners.
    private static let rowsPerFoundRow = 3

    /// The column of the owner's key in the rows of the scan.
    package let ownerColumn: Int
    /// The slot of the owner's key.
    package let ownerSlot: Int
    /// The slot of the place in an ordered relationship.
    package let positionSlot: Int?
    /// The statement that reads all rows of the table, by key.
    package let rows: String
    /// The columns of the rows, quoted.
    package let columns: String
    /// The table, quoted.
    package let source: String
    /// The column of the keys, quoted.
    package let key: String
    private let owner: String
    private let isOneOf: @Sendable (Int) -> String

    /// - Returns: nil if the related rows do not contain the key of their owner.
    package init?(_ relationship: Int, _ schema: SQLSchema, _ dialect: some SQLDialect) {
        let layout = schema.layout.relationships[relationship]
        let shape = schema.shapes[layout.destination]
        guard case .inverse(let slot, let positionSlot) = layout.storage,
            let name = schema.column(slot, of: layout.destination)?.name,
            let column = shape.columnNames.firstIndex(of: name)
        else { return nil }
        ownerColumn = column
        ownerSlot = slot
        self.positionSlot = positionSlot
        source = dialect.quoted(schema.tables[layout.destination].name)
        owner = dialect.quoted(name)
        key = dialect.quoted(SQLTable.key)
        isOneOf = { dialect.isOneOf($0) }
        columns = shape.columnNames.map(dialect.quoted).joined(separator: ", ")
        rows = "SELECT \(columns) FROM \(source) ORDER BY \(key)"
    }

    /// Returns the owners whose rows are counted for the estimate.
    ///
    /// The number of these owners is a power of two, so that few statements are prepared.
    package static func sample(of owners: [Int64]) -> [Int64] {
        let limit = max(1, min(owners.count / 8, sampleLimit))
        let count = 1 << (Int.bitWidth - 1 - limit.leadingZeroBitCount)
        return (0..<count).map { owners[$0 * owners.count / count] }
    }

    /// Returns the statement that counts the rows of a number of owners, whose keys are bound.
    ///
    /// The columns are the number of rows, and the least and the greatest key of the table.
    package func estimate(_ count: Int) -> String {
        "SELECT COUNT(*), (SELECT MIN(\(key)) FROM \(source)), (SELECT MAX(\(key)) FROM \(source)) "
            + "FROM \(source) WHERE \(owner) \(isOneOf(count))"
    }

    /// Whether a scan finds the rows of all owners with less work than an index.
    ///
    /// The table has at most one row for each number between its least and its greatest key.
    ///
    /// - Parameter found: the number of rows of the owners in the sample.
    package static func isWorthwhile(
        found: Int64, of sampleCount: Int, ownerCount: Int, keys: ClosedRange<Int64>
    ) -> Bool {
        let span = Double(keys.upperBound) - Double(keys.lowerBound) + 1
        return Double(found) * Double(ownerCount) / Double(sampleCount) * Double(rowsPerFoundRow) >= span
    }
}
