import CofferSQL
import CofferStorage

/// Reserves keys for new rows, in a separate transaction.
extension PostgreSQLWriter {
    /// Reserves keys in a separate transaction.
    ///
    /// If the outcome of a reservation is unknown, its keys are never used, as if nothing was done. If the count is
    /// 0, the method only reads, because a process that copies or checks a store may have no other right.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        do throws(StorageError) {
            guard count > 0 else { return try transaction { () throws(StorageError) in try nextKeys(root) } }
            return try reservedKeys(count, root: root)
        } catch {
            if connection.lastFailure?.state == "22003", error.code == .invalidValue { throw schema.noKeysLeft(root) }
            guard error.code == .unknownOutcome else { throw error }
            throw StorageError(
                .unavailable,
                "It is unknown whether keys were reserved in '\(connection.address.name)'. No key is used. Try again.",
                isRetryable: true, cause: error.cause)
        }
    }

    private func reservedKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        let name = Value.text(layout.entities[root].name)
        let count = Int64(count)
        return try transaction { () throws(StorageError) in
            let take = "UPDATE coffer_keys SET next = next + $2 WHERE root = $1 RETURNING next"
            func next() throws(StorageError) -> Int64? {
                let result = try connection.query(take, PostgreSQLParameters([name, .integer(count)]))
                return result.rowCount > 0 ? result.integer(0, 0) : nil
            }
            if let end = try next() { return (end - count)..<end }
            let table = batches.dialect.quoted(schema.tables[root].name)
            try connection.run(
                "INSERT INTO coffer_keys (root, next) SELECT $1, COALESCE(MAX(\(SQLTable.key)), 0) + 1 FROM \(table) "
                    + "ON CONFLICT DO NOTHING", [name])
            guard let end = try next() else { throw schema.noKeysLeft(root) }
            return (end - count)..<end
        }
    }

    /// Returns the empty range at which the next reservation begins.
    private func nextKeys(_ root: Int) throws(StorageError) -> Range<Int64> {
        let table = batches.dialect.quoted(schema.tables[root].name)
        let next = try connection.query(
            "SELECT COALESCE((SELECT next FROM coffer_keys WHERE root = $1), "
                + "(SELECT COALESCE(MAX(\(SQLTable.key)), 0) + 1 FROM \(table)))",
            PostgreSQLParameters([.text(layout.entities[root].name)])
        ).integer(0, 0)
        return next..<next
    }
}
