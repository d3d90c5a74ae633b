/// The model of a store: its entities with their properties, as a plain value that a store can contain.
public struct StoreModel: Hashable, Sendable, Codable {
    /// The name of this version of the model.
    public var version: ModelVersion
    /// The entities.
    ///
    /// Their order determines the index of each entity in ``ModelLayout``.
    public var entities: [EntityDescription]

    /// Creates a version of a model.
    public init(version: ModelVersion, entities: [EntityDescription]) {
        self.version = version
        self.entities = entities
    }

    /// The entity with a name.
    public func entity(named name: EntityName) -> EntityDescription? { entities.first { $0.name == name } }

    /// Returns the model with only some of its entities, in the same order.
    public func restricted(to names: Set<EntityName>) -> StoreModel {
        StoreModel(version: version, entities: entities.filter { names.contains($0.name) })
    }
}
