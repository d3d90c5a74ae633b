/// Everything a store must know about the data it keeps: a plain value that a store can carry with it.
public struct StoreModel: Hashable, Sendable, Codable {
    /// The name of this version of the model.
    public var version: ModelVersion
    /// The entities.
    ///
    /// Their order gives each its index in ``ModelLayout``.
    public var entities: [EntityDescription]

    /// A version of a model.
    public init(version: ModelVersion, entities: [EntityDescription]) {
        self.version = version
        self.entities = entities
    }

    /// The entity with a name.
    public func entity(named name: EntityName) -> EntityDescription? {
        entities.first { $0.name == name }
    }

    /// The model reduced to some of its entities, in the same order.
    public func restricted(to names: Set<EntityName>) -> StoreModel {
        StoreModel(version: version, entities: entities.filter { names.contains($0.name) })
    }
}
