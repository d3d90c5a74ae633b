import CofferStorage

/// Caches the prepared statements of a connection by their strings, and drops the least recently used statements.
struct SQLiteStatementCache {
    private static let limit = 256

    private var statements: [String: SQLiteStatement] = [:]
    private var clock = 0

    /// Returns the cached statement with a string; prepares another one if the cached statement is running.
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

    /// Caches a statement in place of another statement with the same string.
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
