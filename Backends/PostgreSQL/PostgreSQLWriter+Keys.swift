import CofferSQL
import CofferStorage

extension PostgreSQLWriter {
    /// Reserves keys, in a transaction of its own.
    ///
    /// Keys whose reservation nobody knows the outcome of are never given: that is as if nothing was done.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        do throws(StorageError) {
            return try reservedKeys(count, root: root)
        } catch {
            guard error.code == .unknownOutcome else { throw error }
            throw StorageError(
                .unavailable,
                "The connection to '\(connection.address.name)' was lost while keys were reserved. Try again.",
                isRetryable: true, cause: error.cause)
        }
    }

    private func reservedKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        let name = Value.text(layout.entities[root].name)
        let count = Int64(max(0, count))
        return try transaction { () throws(StorageError) in
            let take = "UPDATE coffer_keys SET next = next + $2 WHERE root = $1 RETURNING next"
            func next() throws(StorageError) -> Int64? {
                do throws(StorageError) {
                    let result = try connection.query(take, PostgreSQLParameters([name, .integer(count)]))
                    return result.rowCount > 0 ? result.integer(0, 0) : nil
                } catch {
                    guard connection.lastFailure?.state == "22003" else { throw error }
                    throw schema.noKeysLeft(root)
                }
            }
            if let end = try next() { return (end - count)..<end }
            let table = changes.dialect.quoted(schema.tables[root].name)
            _ = try connection.query(
                "INSERT INTO coffer_keys (root, next) SELECT $1, COALESCE(MAX(\(SQLTable.key)), 0) + 1 FROM \(table) "
                    + "ON CONFLICT DO NOTHING",
                PostgreSQLParameters([name]))
            guard let end = try next() else { throw schema.noKeysLeft(root) }
            return (end - count)..<end
        }
    }
}
