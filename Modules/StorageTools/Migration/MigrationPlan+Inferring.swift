public import CofferStorage

/// Infers the plan of a migration step: matches entities and properties by former name or by name.
extension MigrationPlan {
    /// The plan in which entities and properties are matched by their renaming identifiers or their names.
    ///
    /// ``ResolvedMigration`` checks whether the plan can be carried out.
    ///
    /// - Parameters:
    ///   - sources: entities of the source that are left out.
    ///   - targets: entities of the target that are left out.
    public static func inferred(
        from source: StoreModel, to target: StoreModel, without sources: Set<EntityName> = [],
        and targets: Set<EntityName> = []
    ) -> MigrationPlan {
        let pairs = RenamingMatcher(
            sources: source.entities.map { ($0.name, $0.renamingIdentifier) }.filter { !sources.contains($0.name) },
            targets: target.entities.map { ($0.name, $0.renamingIdentifier) }.filter { !targets.contains($0.name) }
        ).sourcesOfTargets
        let entities = target.entities.compactMap { entity in
            pairs[entity.name].map { EntityMigration(from: $0, of: source, to: entity.name, of: target) }
        }
        var plan = MigrationPlan(from: source, to: target, entities: entities)
        plan.isInferred = sources.isEmpty && targets.isEmpty
        return plan
    }
}

extension EntityMigration {
    /// The migration in which the properties of an entity are matched by their renaming identifiers or their names.
    public init(
        from source: EntityName, of sourceModel: StoreModel, to target: EntityName, of targetModel: StoreModel,
        transformation: Transformation? = nil
    ) {
        let (before, after) = (sourceModel.lineage(of: source), targetModel.lineage(of: target))
        let attributes = RenamingMatcher(
            sources: before.flatMap(\.attributes).map { ($0.name, $0.renamingIdentifier) },
            targets: after.flatMap(\.attributes).map { ($0.name, $0.renamingIdentifier) }
        ).sourcesOfTargets
        let relationships = RenamingMatcher(
            sources: before.flatMap(\.relationships).map { ($0.name, $0.renamingIdentifier) },
            targets: after.flatMap(\.relationships).map { ($0.name, $0.renamingIdentifier) }
        ).sourcesOfTargets
        self.init(
            source: source, target: target, properties: attributes.merging(relationships) { first, _ in first },
            transformation: transformation
        )
    }
}

extension StoreModel {
    /// The entity and its parent entities, the topmost first.
    package func lineage(of name: EntityName) -> [EntityDescription] {
        var lineage: [EntityDescription] = []
        var next = entity(named: name)
        while let entity = next, !lineage.contains(where: { $0.name == entity.name }) {
            lineage.insert(entity, at: 0)
            next = entity.parent.flatMap { self.entity(named: $0) }
        }
        return lineage
    }
}
