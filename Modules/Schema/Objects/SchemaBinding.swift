package import CofferStorage

// Sendable: immutable after its creation.
/// Binds a schema to the layout of its model, and each entity to its class.
public final class SchemaBinding: @unchecked Sendable {
    package let layout: ModelLayout
    package let entities: [EntityBinding]
    /// The names of the entities of each configuration other than the default one.
    package let configurations: [String: Set<EntityName>]
    /// The reason why the schema cannot be used; nil if it can be used.
    package let problem: StorageError?

    /// The policies of unique constraints, in the order of the constraints, by the index of a root entity.
    ///
    /// Only entities with another policy than ``UniqueConstraintPolicy/merge`` are included.
    package let uniqueConstraintPolicies: [Int: [UniqueConstraintPolicy]]

    /// Whether the schema has fields by which no store can search: virtual or coded fields.
    package let hasUnsearchableFields: Bool

    /// The slots of the fields whose values are UUIDs, by the index of an entity.
    package let uuidSlots: [ColumnSet]

    private let entitiesByType: [ObjectIdentifier: Int]

    init(
        layout: ModelLayout, types: [CoreStoreObject.Type], configurations: [String: Set<EntityName>],
        policies: [EntityName: [UniqueConstraintPolicy]] = [:], problem: StorageError?
    ) {
        self.layout = layout
        uniqueConstraintPolicies = Dictionary(
            layout.entities.compactMap { entity in
                guard entity.root == entity.index, let policies = policies[entity.name],
                    policies.contains(where: { $0 != .merge })
                else { return nil }
                return (entity.index, policies)
            }, uniquingKeysWith: { first, _ in first })
        self.configurations = configurations
        self.problem = problem
        entities = layout.entities.map { EntityBinding(layout: $0, type: types[$0.index]) }
        hasUnsearchableFields = entities.contains { entity in
            !entity.virtualFields.isEmpty
                || entity.layout.columns.contains { $0.role == .attribute(.transformableAttributeType) }
        }
        uuidSlots = entities.map(\.uuidSlots)
        entitiesByType = Dictionary(
            types.enumerated().map { (ObjectIdentifier($0.element), $0.offset) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the index of the entity of a class; nil if the class has no entity.
    package func entity(of type: any DynamicObject.Type) -> Int? { entitiesByType[ObjectIdentifier(type)] }

    /// Whether a store with a configuration holds an entity.
    package func configuration(_ configuration: ModelConfiguration, holds entity: Int) -> Bool {
        guard let configuration, configuration != SchemaBinding.defaultConfigurationName else { return true }
        return configurations[configuration]?.contains(layout.entities[entity].name) ?? false
    }

    /// The name of the configuration that holds every entity.
    package static let defaultConfigurationName = "PF_DEFAULT_CONFIGURATION_NAME"
}
