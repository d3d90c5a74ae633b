/// What becomes of a store's data in one step from one version of a model to another.
///
/// ```swift
/// let plan = MigrationPlan.inferred(from: old, to: new)
/// try store.migrate(along: [plan])
/// ```
///
/// Entities of the source that no mapping names lose their rows; entities of the target that none names begin empty.
public struct MigrationPlan: Sendable {
    /// The model before.
    public var source: StoreModel
    /// The model after.
    public var target: StoreModel
    /// The entities whose rows go on.
    public var entities: [EntityMigration]

    /// Whether the plan says no more than what follows from the models.
    package var isInferred = false

    /// A step in which some entities' rows go on.
    public init(from source: StoreModel, to target: StoreModel, entities: [EntityMigration]) {
        self.source = source
        self.target = target
        self.entities = entities
    }

    /// Whether no row passes through code of the program.
    public var isLightweight: Bool { entities.allSatisfy { $0.transformation == nil } }
}

/// What becomes of the rows of one entity.
///
/// The rows of sub-entities are not among them.
public struct EntityMigration: Sendable {
    /// Turns one row into one of the target's, or into none.
    ///
    /// It is called for each row, one after the other, on one thread. Relationships are not its business: they follow
    /// the renaming identifiers.
    public typealias Transformation = @Sendable (MigratingRow) throws -> Void

    /// The entity's name in the source.
    public var source: EntityName
    /// The entity's name in the target.
    public var target: EntityName
    /// For the names of the target's attributes and relationships, inherited ones included, those in the source.
    public var properties: [String: String]
    /// What makes the new rows; nil copies them.
    public var transformation: Transformation?

    /// Rows of one entity that go on.
    public init(
        source: EntityName, target: EntityName, properties: [String: String], transformation: Transformation? = nil
    ) {
        self.source = source
        self.target = target
        self.properties = properties
        self.transformation = transformation
    }
}
