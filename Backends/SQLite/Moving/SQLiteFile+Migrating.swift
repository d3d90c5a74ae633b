import CofferSQL
import CofferStorage
import Foundation

extension SQLiteFile {
    /// Takes the file through some steps in one transaction.
    ///
    /// The file is held alone meanwhile: nobody else may go on writing by the old model.
    func migrate(
        _ steps: [MigrationPlan], _ report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        guard let found = try inspect() else { throw .nothingToMigrate }
        guard !steps.isEmpty else { return found }
        guard let connection = try openAlone() else { throw .nothingToMigrate }
        do throws(StorageError) {
            guard var metadata = try SQLiteSchema.metadata(connection) else { throw .nothingToMigrate }
            if !SQLMigration.isDone(steps, in: metadata.model) {
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

    /// A connection in a transaction, to a file that nobody else has open.
    private func openAlone() throws(StorageError) -> SQLiteConnection? {
        let busy = StorageError(
            .busy, "'\(name)' is open elsewhere. Close it there before it is migrated.", isRetryable: true)
        return try whenAlone(orThrow: busy) { connection throws(StorageError) in
            try connection.prepare(configuration)
            try connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            // One commit, and one wait for the disk: also where ordinary commits do not.
            try connection.execute("PRAGMA synchronous = FULL")
            if let count = configuration.maximumPageCount {
                try connection.execute("PRAGMA max_page_count = \(count)")
            }
            try connection.execute("BEGIN EXCLUSIVE")
            return connection
        }
    }
}
