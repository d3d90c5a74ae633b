/// A provider of plans for migration steps from one version of a model to another.
///
/// A store has a list of providers. For each step, the first provider that returns a plan is used. If no provider
/// returns a plan, the plan is inferred.
public protocol SchemaMappingProvider: Sendable {
    /// Returns the plan of a step; nil if the provider has no plan for this step.
    ///
    /// - Throws: `invalidModel` if the plan does not fit the models.
    func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan?
}
