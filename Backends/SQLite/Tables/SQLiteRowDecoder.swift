import CofferSQL
import CofferStorage

/// Decodes the columns of a row into a packed ``Row``.
final class SQLiteRowDecoder: SQLiteRowMaker {
    private let variants: [SQLiteRowVariant]
    /// Whether all rows are of the first variant, and contain no name of an entity.
    private let isUniform: Bool
    /// The first variant; not optional, so that decoding a row does not count a reference.
    private let first: SQLiteRowVariant
    private let tableName: String
    /// The number of columns of the shape.
    let columnCount: Int32
    let selection: String

    init(_ shape: SQLRowShape, in schema: SQLSchema, root: Int) {
        columnCount = Int32(shape.columnNames.count)
        selection = SQLiteDialect().selection(shape)
        let table = schema.tables[root].name
        tableName = table
        variants = shape.variants.map {
            SQLiteRowVariant($0, kinds: schema.layout.entities[$0.entity].kinds, table: table, shape.columnNames)
        }
        isUniform = !shape.hasEntity && !variants.isEmpty
        first =
            variants.first
            ?? SQLiteRowVariant(.init(entity: 0, name: "", columns: []), kinds: [], table: table, [])
    }

    /// Returns the current row of a statement that returns columns.
    ///
    /// - Parameter arena: allocates the row.
    /// - Throws: `invalidValue` if the file contains a value that its column cannot have.
    @inline(__always)
    func row(_ statement: SQLiteStatement, in arena: inout RowArena) throws(StorageError) -> Row {
        try row(statement.columns(columnCount), in: &arena)
    }

    @inline(__always)
    func row(_ columns: SQLiteColumns, in arena: inout RowArena) throws(StorageError) -> Row {
        if isUniform { return try first.row(columns, in: &arena) }
        return try variant(columns).row(columns, in: &arena)
    }

    /// Calls the closure with every remaining row.
    ///
    /// - Parameter isLimited: whether the statement may return fewer rows than it finds.
    /// - Returns: false if the statement must run again as a statement that returns columns. The closure was then not
    ///   called.
    @inline(__always)
    func forEachRow(
        _ statement: SQLiteStatement, isLimited: Bool = false, _ body: (consuming Row) -> Void
    ) throws(StorageError) -> Bool {
        if let sink = statement.sink {
            sink.begin(self, isLimited: isLimited)
            do throws(StorageError) {
                while try sink.during({ () throws(StorageError) in try statement.step() }) {
                    body(try sink.row(statement))
                }
            } catch {
                guard sink.hasRefusedToSort else { throw error }
                return false
            }
            return true
        }
        var arena = RowArena()
        while try statement.step() { body(try row(statement, in: &arena)) }
        return true
    }

    /// Returns the only row of a statement; nil if there is none.
    func onlyRow(_ statement: SQLiteStatement) throws(StorageError) -> Row? {
        guard let sink = statement.sink else {
            var arena = RowArena()
            return try statement.step() ? try row(statement, in: &arena) : nil
        }
        sink.begin(self, isLimited: false)
        guard try sink.during({ () throws(StorageError) in try statement.step() }) else { return nil }
        return try sink.row(statement)
    }

    private func variant(_ columns: SQLiteColumns) throws(StorageError) -> SQLiteRowVariant {
        // Without variants, no entity has rows, and the shape has no third column.
        if !variants.isEmpty {
            let name = columns.column(2).textBytes
            for variant in variants where variant.isNamed(name) { return variant }
        }
        let name = variants.isEmpty ? "" : String(decoding: columns.column(2).textBytes, as: UTF8.self)
        throw StorageError(
            .invalidValue,
            "Row \(columns.column(0).integer) of '\(tableName)' has the entity '\(name)', "
                + "which has no rows in this model. Correct '\(SQLTable.entity)' or delete the row."
        )
    }
}
