import CofferSQL
import CofferStorage

/// Inserts many rows of one entity with one statement.
///
/// SQLite reads the rows from the virtual table ``SQLiteRowTable``.
final class SQLiteBulkInserts {
    /// The number of rows from which one statement is faster than a statement for each row.
    static let threshold = 8

    private let connection: SQLiteConnection
    private let schema: SQLSchema
    private var statements: [SQLiteStatement?]
    /// The entities whose tables have triggers.
    private var refused = ColumnSet()
    /// The virtual table; nil if SQLite refuses it.
    private(set) lazy var table: SQLiteRowTable? = {
        let slots = schema.layout.entities.map(\.columns.count).max() ?? 0
        return SQLiteRowTable.register(on: connection, columnCount: slots + 1)
    }()

    init(_ connection: SQLiteConnection, _ schema: SQLSchema) {
        self.connection = connection
        self.schema = schema
        statements = Array(repeating: nil, count: schema.layout.entities.count)
    }

    /// Inserts the first rows of the same entity, up to a row that breaks a constraint.
    ///
    /// - Returns: the number of inserted rows; 0 if the first row must be inserted alone, because it breaks a
    ///   constraint or because the rows are few.
    func insert(_ rows: ArraySlice<ChangeSet.Insert>, _ kinds: [[ColumnKind]]) throws(StorageError) -> Int {
        guard rows.count >= Self.threshold, let entity = rows.first?.row.entity, !refused.contains(entity) else {
            return 0
        }
        let end = rows.firstIndex { $0.row.entity != entity } ?? rows.endIndex
        guard end - rows.startIndex >= Self.threshold, let table, let statement = try statement(entity) else {
            return 0
        }
        let code = table.holding(rows[rows.startIndex..<end], kinds[entity]) { statement.perform() }
        if code.isDone { return end - rows.startIndex }
        guard code.isConstraint else { throw connection.failure(code) }
        return connection.changeCount
    }

    /// Returns the statement of an entity; nil if the table has triggers, which might leave out rows.
    private func statement(_ entity: Int) throws(StorageError) -> SQLiteStatement? {
        if let known = statements[entity] { return known }
        let table = schema.tables[entity]
        let triggers = "SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
        if try !connection.texts(triggers, [.text(table.name)]).isEmpty {
            refused.insert(entity)
            return nil
        }
        let dialect = SQLiteDialect()
        let names = SQLBulkStatements(schema, dialect).columns(entity: entity)
        let slots = table.columnsOfSlots[entity]?.count ?? 0
        let values = (0...slots).map(SQLiteRowTable.column) + ["1"] + (table.hasEntityColumn ? ["?"] : [])
        // The rows before a violation stay, so SQLite need not preserve the old pages.
        let statement = try SQLiteStatement(
            "INSERT OR FAIL INTO \(dialect.quoted(table.name)) (\(names.map(dialect.quoted).joined(separator: ", ")))"
                + " SELECT \(values.joined(separator: ", ")) FROM \(SQLiteRowTable.name)", on: connection)
        if table.hasEntityColumn { try statement.bind(schema.layout.entities[entity].name, 1) }
        statements[entity] = statement
        return statement
    }
}
