import CofferStorage
import CofferStorageTools

/// Converts the content to the next version of the model, or to an equal model in another order.
///
/// The order is the order of the entities and of their properties.
extension StoreContent {
    /// Returns the content after a migration step.
    ///
    /// The rows and indexes are created again. The old rows and indexes stay until the store publishes the new ones.
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

    /// Returns the same data for a layout with an equal model.
    ///
    /// The model of the layout may have another order of entities and properties.
    ///
    /// - Throws: `schemaMismatch` if the models differ.
    func reopened(_ layout: ModelLayout) throws(StorageError) -> StoreContent {
        guard metadata.model != layout.model else { return self }
        guard metadata.model.isCompatible(with: layout.model) else {
            throw .schemaMismatch("The store in memory", stored: metadata.model, opened: layout.model)
        }
        let entities = layout.entities.map { entity in
            let names = entity.propertyNames.map { ($0, $0) }
            return EntityMigration(
                source: entity.name, target: entity.name, properties: Dictionary(names, uniquingKeysWith: { $1 }))
        }
        return try migrated(MigrationPlan(from: metadata.model, to: layout.model, entities: entities)) { _ in }
    }
}
