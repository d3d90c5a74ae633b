import CofferSchema
public import CofferStorage
import CofferStorageTools

// Sendable: the provider is immutable, and only the thread of the migration calls the transformers, one at a time.
/// A custom mapping provider: returns the program's mappings as a plan; checks their names and their copied entities.
///
/// ```swift
/// let provider = CustomSchemaMappingProvider(
///     from: "V1", to: "V2",
///     entityMappings: [
///         .transformEntity(sourceEntity: "Person", destinationEntity: "Person") { source, createDestination in
///             let destination = createDestination()
///             destination["fullName"] = "\(source["first"] ?? "") \(source["last"] ?? "")"
///         }
///     ]
/// )
/// let store = SQLiteStore(fileName: "people.sqlite", migrationMappingProviders: [provider])
/// stack.addStorage(store) { result in print(result) }
/// ```
///
/// Other entities are matched by their names or former names. The migration also connects the relationships of
/// transformed objects, by their names or former names.
///
/// If a transformer throws, the migration ends with `userError`, and the store is unchanged.
public class CustomSchemaMappingProvider: Hashable, SchemaMappingProvider, @unchecked Sendable {
    /// The version before the step.
    public let sourceVersion: ModelVersion
    /// The version after the step.
    public let destinationVersion: ModelVersion

    let entityMappings: Set<CustomMapping>

    /// Creates a plan for the step from one version to the next.
    ///
    /// - Parameter entityMappings: the treatment of some entities. If an entity is named twice as source or twice as
    ///   destination, an assertion fails.
    public required init(
        from sourceVersion: ModelVersion, to destinationVersion: ModelVersion,
        entityMappings: Set<CustomMapping> = []
    ) {
        self.sourceVersion = sourceVersion
        self.destinationVersion = destinationVersion
        self.entityMappings = entityMappings
        for names in [entityMappings.compactMap(\.source), entityMappings.compactMap(\.destination)] {
            let twice = Dictionary(grouping: names, by: \.self).filter { $1.count > 1 }.keys.sorted().first
            Diagnostics.assert(
                twice == nil,
                "The mappings from '\(sourceVersion)' to '\(destinationVersion)' name '\(twice ?? "")' twice. Map each "
                    + "entity once."
            )
        }
    }

    /// Returns the plan if the step is the step of this provider; nil for any other step.
    public func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan? {
        guard source.version == sourceVersion, target.version == destinationVersion else { return nil }
        try checkNames(source, target)
        var plan = MigrationPlan.inferred(
            from: source, to: target, without: Set(entityMappings.compactMap(\.source)),
            and: Set(entityMappings.compactMap(\.destination))
        )
        plan.isInferred = false
        for mapping in entityMappings.sorted(by: { ($0.source ?? "") < ($1.source ?? "") }) {
            switch mapping {
            case .deleteEntity, .insertEntity: continue
            case .copyEntity(let before, let after):
                try checkCopy(before, of: source, after, of: target)
                plan.entities.append(EntityMigration(from: before, of: source, to: after, of: target))
            case .transformEntity(let before, let after, let transformer):
                let transformation = EntityTransformation(
                    transformer: transformer, sourceAttributes: source.lineage(of: before).flatMap(\.attributes),
                    destinationAttributes: target.lineage(of: after).flatMap(\.attributes))
                plan.entities.append(
                    EntityMigration(
                        from: before, of: source, to: after, of: target, transformation: { try transformation.run($0) }
                    ))
            }
        }
        return plan
    }

    private func checkNames(_ source: StoreModel, _ target: StoreModel) throws(StorageError) {
        for mapping in entityMappings {
            for (name, model) in [(mapping.source, source), (mapping.destination, target)] {
                guard let name, model.entity(named: name) == nil else { continue }
                let message =
                    "A mapping from '\(sourceVersion)' to '\(destinationVersion)' names '\(name)', which is not in version "
                    + "'\(model.version)'. Correct the name."
                Diagnostics.assert(false, message)
                throw .invalidModel(message)
            }
        }
    }

    /// Refuses a copy between entities with different fields, because only unchanged rows can be copied.
    private func checkCopy(
        _ before: EntityName, of source: StoreModel, _ after: EntityName, of target: StoreModel
    ) throws(StorageError) {
        let properties = { (model: StoreModel, name: EntityName) in
            Set(
                model.lineage(of: name).flatMap { entity in
                    entity.attributes.map { "\($0.name): \($0.type) \($0.isOptional)" }
                        + entity.relationships.map { "\($0.name): \($0.isToMany) \($0.isOrdered)" }
                })
        }
        guard properties(source, before) != properties(target, after) else { return }
        let message =
            "'\(before)' of version '\(sourceVersion)' differs from '\(after)' of version '\(destinationVersion)', "
            + "and cannot be copied. Use .transformEntity, or omit the mapping."
        Diagnostics.assert(false, message)
        throw .invalidModel(message)
    }

    /// Whether two providers are for the same step.
    public static func == (lhs: CustomSchemaMappingProvider, rhs: CustomSchemaMappingProvider) -> Bool {
        lhs.sourceVersion == rhs.sourceVersion && lhs.destinationVersion == rhs.destinationVersion
    }

    /// Hashes the versions.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sourceVersion)
        hasher.combine(destinationVersion)
    }
}
