/// The plan of a migration step from one version of a model to another.
///
/// ```swift
/// let plan = MigrationPlan.inferred(from: old, to: new)
/// try store.migrate(along: [plan])
/// ```
///
/// If no mapping names an entity of the source, its rows are deleted. If no mapping names an entity of the target, it
/// has no rows at first.
public struct MigrationPlan: Sendable {
    /// The old model.
    public var source: StoreModel
    /// The new model.
    public var target: StoreModel
    /// The entities whose rows are kept.
    public var entities: [EntityMigration]

    /// Whether the plan contains only the parts that can be inferred from the models.
    package var isInferred = false

    /// Creates a plan that keeps the rows of some entities.
    public init(from source: StoreModel, to target: StoreModel, entities: [EntityMigration]) {
        self.source = source
        self.target = target
        self.entities = entities
    }

    /// Whether no row needs code of the program.
    public var isLightweight: Bool { entities.allSatisfy { $0.transformation == nil } }
}

/// The plan for the rows of one entity.
///
/// It does not include the rows of sub-entities.
public struct EntityMigration: Sendable {
    /// A closure that converts a row to a row of the target, or drops it.
    ///
    /// The closure is called for each row, one after another, on one thread. It does not handle relationships: the
    /// renaming identifiers determine them.
    public typealias Transformation = @Sendable (MigratingRow) throws -> Void

    /// The entity's name in the source.
    public var source: EntityName
    /// The entity's name in the target.
    public var target: EntityName
    /// The names in the source, by the names of the target's attributes and relationships, including inherited ones.
    public var properties: [String: String]
    /// The closure that creates the new rows; nil copies the rows.
    public var transformation: Transformation?

    /// Creates a plan that keeps the rows of an entity.
    public init(
        source: EntityName, target: EntityName, properties: [String: String], transformation: Transformation? = nil
    ) {
        self.source = source
        self.target = target
        self.properties = properties
        self.transformation = transformation
    }
}
