import CofferStorage
import CofferStorageTools

/// Runs one migration step: creates the snapshot and key counters of the next version of the model.
extension StoreContent {
    /// The content after a step.
    ///
    /// The rows and indexes are made anew, beside those of before, which stay until the store publishes the others.
    func migrated(
        _ plan: MigrationPlan, report: (Double) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreContent {
        let migration = try ResolvedMigration(plan, from: snapshot.layout)
        let migrator = try RowMigrator(migration, nextKeys: keys.nextByRoot)
        let metadata = StoreMetadata(store: metadata.store, model: migration.target.model)
        var making = SnapshotMigration(migrator, from: snapshot)
        try making.moveRows(report)
        making.moveLinks()
        making.cutLooseEnds()
        let migrated = StoreContent(
            metadata: metadata, snapshot: try making.snapshot(), keys: KeyCounter(migration.target)
        )
        migrated.keys.note(migrator.nextKeys.map { ($0.key, $0.value - 1) })
        try report(1)
        return migrated
    }
}
