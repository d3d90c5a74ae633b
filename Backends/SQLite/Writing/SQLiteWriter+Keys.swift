import CofferSQL
import CofferStorage

/// Reserves keys for new rows, in a separate transaction.
extension SQLiteWriter {
    /// Reserves keys in a separate transaction; if the count is 0, only reads the next key.
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        guard count > 0 else {
            let next = try nextKey(root)
            return next..<next
        }
        let name = layout.entities[root].name
        return try transaction { () throws(StorageError) in
            let first = try nextKey(root)
            let (end, overflow) = first.addingReportingOverflow(Int64(count))
            guard !overflow else { throw schema.noKeysLeft(root) }
            try connection.run(SQLiteSchema.savesKey, [.text(name), .integer(end)])
            return first..<end
        }
    }

    private func nextKey(_ root: Int) throws(StorageError) -> Int64 {
        let find = try connection.statement("SELECT next FROM coffer_keys WHERE root = ?")
        defer { find.reset() }
        try find.bind(layout.entities[root].name, 1)
        guard try find.step() else { return try firstFreeKey(root) }
        guard find.type(0) == SQLiteStorageClass.integer, find.integer(0) > 0 else {
            throw StorageError(
                .invalidValue,
                "The next key of '\(layout.entities[root].name)' in '\(connection.fileName)' is not a positive number. "
                    + "Set it in 'coffer_keys' to a number above the keys of all rows.")
        }
        return find.integer(0)
    }

    private func firstFreeKey(_ root: Int) throws(StorageError) -> Int64 {
        let dialect = mutations.dialect
        let text = "SELECT MAX(\(SQLTable.key)) FROM \(dialect.quoted(schema.tables[root].name))"
        let highest = max(0, try connection.text(text).flatMap { Int64($0) } ?? 0)
        guard highest < .max else { throw schema.noKeysLeft(root) }
        return highest + 1
    }
}
