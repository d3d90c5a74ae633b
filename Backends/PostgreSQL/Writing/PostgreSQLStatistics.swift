import CofferSQL
import CofferStorage
import Dispatch

/// Keeps the statistics of a table fresh if large commits make the table grow.
///
/// The server analyzes tables by itself, but only after about a minute.
struct PostgreSQLStatistics {
    private var growth = SQLGrowth()

    /// Lets the server analyze the tables that a commit made ten times as large, and does not wait for the end.
    ///
    /// A separate connection sends the statement, so that no commit waits until the server has analyzed the tables.
    /// This commit waits until the connection is open, because a process may end after its commit. The commit is
    /// already saved. If the connection cannot be opened, if the server cannot analyze a table, or if another process
    /// does so, the table keeps its old statistics.
    mutating func refresh(after changes: ChangeSet, to schema: SQLSchema, in database: PostgreSQLDatabase) {
        let grown = growth.add(changes, to: schema)
        guard !grown.isEmpty, let connection = try? PostgreSQLConnection(database.address, database.options),
            connection.ask(Self.statement(grown, in: database.address.schema))
        else { return }
        // The connection is closed after the server has answered.
        DispatchQueue.global(qos: .utility).async { _ = connection.answer() }
    }

    /// Returns a block that analyzes the tables of the user whose statistics have too few rows.
    ///
    /// The names of the tables have their schema, because the search path may be set only for a transaction.
    static func statement(_ tables: [SQLGrowth.Table], in schema: String) -> String {
        let dialect = PostgreSQLDialect()
        let parts = tables.map { table in
            let name = "\(PostgreSQLIdentifier.quoted(schema)).\(dialect.quoted(table.name))"
            let condition =
                "SELECT 1 FROM pg_class WHERE oid = to_regclass(\(literal(name))) "
                + "AND greatest(reltuples, 0) * \(SQLGrowth.factor - 1) <= \(table.added) "
                + "AND pg_has_role(relowner, 'USAGE')"
            return "IF EXISTS (\(condition)) THEN ANALYZE (SKIP_LOCKED) \(name); END IF;"
        }
        return "DO \(literal("BEGIN \(parts.joined(separator: " ")) END"))"
    }

    private static func literal(_ text: String) -> String { "E" + text.doubling("\\").quoted(by: "'") }
}
