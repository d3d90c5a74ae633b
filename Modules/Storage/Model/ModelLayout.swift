/// A ``StoreModel`` in which array indexes, and not names, identify entities, slots, relationships and link tables.
///
/// A layout is created once for a model, and never changes. Stores and the core use only the indexes of the layout.
/// These indexes depend only on the order of the model.
public final class ModelLayout: Sendable {
    /// The model of the layout.
    public let model: StoreModel
    /// The entities, in the model's order.
    public let entities: [EntityLayout]
    /// The relationships of all entities; the two sides of a relationship are separate elements.
    public let relationships: [RelationshipLayout]
    /// The tables of links for many-to-many relationships.
    public let linkTables: [LinkTableLayout]

    /// Whether any relationship has a minimum or maximum count.
    package let hasCountedRelationships: Bool
    /// Whether any to-one relationship has a to-many inverse.
    package let hasReferences: Bool

    private let entitiesByName: [EntityName: Int]

    /// Creates the layout of a model.
    ///
    /// - Throws: `invalidModel` if the model contradicts itself. The message names the entity and the property.
    public init(_ model: StoreModel) throws(StorageError) {
        var builder = try ModelLayoutBuilder(model)
        try builder.build()
        self.model = model
        entities = builder.entities
        relationships = builder.relationships
        linkTables = builder.linkTables
        hasCountedRelationships = builder.entities.contains { !$0.countedRelationships.isEmpty }
        hasReferences = builder.entities.contains { !$0.references.isEmpty }
        entitiesByName = builder.entitiesByName
    }

    /// Returns the index of an entity.
    public func index(of name: EntityName) -> Int? { entitiesByName[name] }

    /// Returns the entity with a name.
    public func entity(named name: EntityName) -> EntityLayout? { entitiesByName[name].map { entities[$0] } }

    /// Whether rows of `entity` are also rows of `ancestor`.
    public func entity(_ entity: Int, isKindOf ancestor: Int) -> Bool {
        var current: Int? = entity
        while let index = current {
            if index == ancestor { return true }
            current = entities[index].parent
        }
        return false
    }

    /// Returns the name of a unique constraint in messages; without slots, the name of the entity.
    package func constraintName(root: Int, _ slots: [Int]) -> String {
        let entity = entities[root]
        let names = slots.map { entity.columns[$0].name }
        return switch names.count {
        case 0: "'\(entity.name)'"
        case 1: "'\(entity.name).\(names[0])'"
        default: "'\(entity.name)' (\(names.joined(separator: ", ")))"
        }
    }
}
