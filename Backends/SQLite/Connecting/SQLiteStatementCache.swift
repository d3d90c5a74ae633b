import CofferStorage

/// Caches the prepared statements of a connection by text, and drops the statements that were used least recently.
struct SQLiteStatementCache {
    private static let limit = 256

    private var statements: [String: SQLiteStatement] = [:]
    private var clock = 0

    /// The statement with a text; prepared once, and again while it runs.
    mutating func statement(
        _ text: String, _ prepare: () throws(StorageError) -> SQLiteStatement
    ) throws(StorageError) -> SQLiteStatement {
        if let known = statements[text] {
            guard known.isFresh else { return try prepare() }
            clock += 1
            known.lastUse = clock
            return known
        }
        let statement = try prepare()
        keep(statement)
        return statement
    }

    /// Keeps a statement in place of another with the same text.
    mutating func keep(_ statement: SQLiteStatement) {
        if statements.count >= Self.limit { evict() }
        clock += 1
        statement.lastUse = clock
        statements[statement.text] = statement
    }

    mutating func removeAll() { statements.removeAll() }

    private mutating func evict() {
        let old = statements.values.sorted { $0.lastUse < $1.lastUse }.prefix(Self.limit / 4)
        for statement in old { statements[statement.text] = nil }
    }
}
