import CofferStorage

/// Finds out whether a commit was saved after its `COMMIT` failed, or throws `unknownOutcome`.
///
/// SQLite rolls back such a commit, and no connection sees it. Yet the log may contain the whole commit, and a
/// process that reads the log again after a crash finds it there. The next commit is written to the same place of the
/// log, and removes the failed commit permanently.
extension SQLiteWriter {
    /// Ensures that a commit that seems to have failed is discarded, or finds that it was saved.
    ///
    /// - Parameters:
    ///   - result: the result that the commit would have returned.
    ///   - failure: the error of SQLite.
    /// - Throws: the failure if nothing was changed, otherwise `unknownOutcome`.
    func settle(
        _ changes: ChangeSet, _ result: CommitResult, _ failure: StorageError
    ) throws(StorageError) -> CommitResult {
        var isMade: Bool?
        do throws(StorageError) {
            isMade = try transaction { () throws(StorageError) in
                let isMade = try self.isMade(changes, result)
                if isMade == false { try overwrite() }
                return isMade
            }
        } catch {
            isMade = nil
        }
        switch isMade {
        case true?: return result
        case false?: throw failure
        case nil:
            throw StorageError(
                .unknownOutcome,
                "'\(connection.fileName)' failed during a commit: all changes were saved, or none. Check whether "
                    + "they were saved before you repeat the transaction.", cause: failure.cause)
        }
    }

    /// Whether the changes were saved; nil if the rows do not determine it.
    private func isMade(_ changes: ChangeSet, _ result: CommitResult) throws(StorageError) -> Bool? {
        let merged = Set(result.merges.map(\.from))
        // No other transaction inserts a row with this key.
        if let insert = changes.inserts.first(where: { !merged.contains($0.row.key) }) {
            return try row(insert.row.entity, insert.row.key) != nil
        }
        for update in changes.updates {
            if let row = try row(update.row.entity, update.row.key), row.version <= update.row.version { return false }
        }
        for delete in changes.deletes where try row(delete.entity, delete.key) != nil { return false }
        return nil
    }

    /// Writes a page, and changes nothing.
    private func overwrite() throws(StorageError) {
        let name = "settled"
        try connection.execute("INSERT OR REPLACE INTO coffer_metadata (name, value) VALUES ('\(name)', '')")
        try connection.execute("DELETE FROM coffer_metadata WHERE name = '\(name)'")
    }
}
