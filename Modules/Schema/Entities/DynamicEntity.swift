public import CofferStorage
public import CofferStorageTools

/// One entity of a schema, without the type of its class; see ``Entity``.
public class DynamicEntity: Hashable {
    /// The class that stands for the entity.
    public let type: any DynamicObject.Type
    /// The entity's name in the store.
    public let entityName: EntityName
    /// Whether only sub-entities have objects.
    public let isAbstract: Bool
    /// Changes the version hash when nothing else does.
    public let versionHashModifier: String?
    /// Each a list of attributes.
    public let indexes: [[KeyPathString]]
    /// Each a list of attributes whose values no two objects share.
    public let uniqueConstraints: [[KeyPathString]]
    /// For each of the ``uniqueConstraints``, in their order, what a commit does with a new object whose values another
    /// object already has.
    public let uniqueConstraintPolicies: [UniqueConstraintPolicy]

    let objectType: CoreStoreObject.Type

    init(
        type: CoreStoreObject.Type, entityName: EntityName, isAbstract: Bool, versionHashModifier: String?,
        indexes: [[KeyPathString]],
        uniqueConstraints: [(attributes: [KeyPathString], policy: UniqueConstraintPolicy)]
    ) {
        self.type = type
        objectType = type
        self.entityName = entityName
        self.isAbstract = isAbstract
        self.versionHashModifier = versionHashModifier
        self.indexes = indexes
        self.uniqueConstraints = uniqueConstraints.map(\.attributes)
        uniqueConstraintPolicies = uniqueConstraints.map(\.policy)
    }

    /// Whether both are entities of the same name and class.
    public static func == (left: DynamicEntity, right: DynamicEntity) -> Bool {
        left.type == right.type && left.entityName == right.entityName && left.isAbstract == right.isAbstract
            && left.versionHashModifier == right.versionHashModifier && left.indexes == right.indexes
            && left.uniqueConstraints == right.uniqueConstraints
            && left.uniqueConstraintPolicies == right.uniqueConstraintPolicies
    }

    /// Hashes the name and the class.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type))
        hasher.combine(entityName)
        hasher.combine(isAbstract)
        hasher.combine(versionHashModifier)
    }
}

extension DynamicEntity: CustomStringConvertible, CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The name of the entity and its class.
    public var description: String { "Entity<\(type)>('\(entityName)')" }

    /// The class, the name and the constraints.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("type", type),
            ("entityName", entityName),
            ("isAbstract", isAbstract),
            ("versionHashModifier", versionHashModifier as Any),
            ("indexes", indexes),
            ("uniqueConstraints", uniqueConstraints),
            ("uniqueConstraintPolicies", uniqueConstraintPolicies),
        ])
    }
}
