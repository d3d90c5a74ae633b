/// Says what becomes of the data in a step from one version of a model to another.
///
/// A store has a list of them. Each step is planned by the first that has a plan for it, and inferred when none has.
public protocol SchemaMappingProvider: Sendable {
    /// The plan of a step, or nil when this is not a step of this provider's.
    ///
    /// - Throws: `invalidModel` when what it says does not fit the models.
    func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan?
}
