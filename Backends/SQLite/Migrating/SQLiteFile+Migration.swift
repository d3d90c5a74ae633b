import CofferSQL
import CofferStorage
import CofferStorageTools

/// Runs migration steps in one transaction, under an exclusive lock of the file.
extension SQLiteFile {
    /// Migrates the file through some steps in one transaction.
    ///
    /// The transaction has exclusive access to the file, so that no process continues to write with the old model.
    func migrate(
        _ steps: [MigrationPlan], _ report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        guard let found = try inspect() else { throw .nothingToMigrate }
        guard !steps.isEmpty else { return found }
        guard let connection = try openAlone() else { throw .nothingToMigrate }
        do throws(StorageError) {
            guard var metadata = try upgrade(connection) else { throw .nothingToMigrate }
            if !SQLMigration.isDone(steps, in: metadata.model) {
                try SQLiteStatistics.limitAnalysis(connection)
                metadata.model = try SQLMigration.run(
                    steps, from: metadata.model, SQLiteDialect(), in: { SQLiteMigration($0, connection) },
                    report: report)
            }
            try connection.checkPlace()
            try connection.execute("COMMIT")
            return metadata
        } catch {
            connection.rollBack()
            throw error
        }
    }

    /// Opens a connection in a transaction, to a file that no other process has open.
    private func openAlone() throws(StorageError) -> SQLiteConnection? {
        try whenAlone(orThrow: busy(before: "migrated"), beginExclusively)
    }
}
