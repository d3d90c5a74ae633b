import CofferSQL
import CofferStorage
import CofferStorageTools

/// Runs migration steps in one transaction, under a lock that keeps other processes out.
extension PostgreSQLDatabase {
    /// Migrates the store through some steps in one transaction.
    ///
    /// No other process has the store open in the meantime, because a writer would continue with the old model.
    func migrate(
        _ steps: [MigrationPlan], _ report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        guard let found = try inspect() else { throw .nothingToMigrate }
        guard !steps.isEmpty else { return found }
        var options = options
        // The same statement refers to another table in the next step.
        options.keepsStatements = false
        let connection = try PostgreSQLConnection(address, options)
        return try transaction(connection) { () throws(StorageError) in
            try liftTimeLimits(connection)
            try lock(connection)
            guard let found = try PostgreSQLSchema.description(connection) else { throw .nothingToMigrate }
            var metadata = found.metadata
            if SQLMigration.isDone(steps, in: metadata.model) { return metadata }
            try claim(connection, before: "migrated")
            try upgrade(found, connection)
            metadata.model = try SQLMigration.run(
                steps, from: metadata.model, PostgreSQLDialect(), naming: PostgreSQLDialect.naming,
                in: { PostgreSQLMigration($0, connection) }, report: report)
            return metadata
        }
    }
}
