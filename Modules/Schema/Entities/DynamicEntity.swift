public import CofferStorage
public import CofferStorageTools

/// The superclass of `Entity`, without the generic type of the class: the name, the indexes and the unique constraints.
///
/// See ``Entity``.
public class DynamicEntity: Hashable {
    /// The class of the entity.
    public var type: any DynamicObject.Type { objectType }
    /// The entity's name in the store.
    public let entityName: EntityName
    /// Whether only sub-entities can have objects.
    public let isAbstract: Bool
    /// A string that changes the version hash, although the model does not change.
    public let versionHashModifier: String?
    /// The compound indexes, each as a list of attributes.
    public let indexes: [[KeyPathString]]
    /// The unique constraints, each as a list of attributes whose values no two objects may share.
    public let uniqueConstraints: [[KeyPathString]]
    /// The policies of the ``uniqueConstraints``, in the same order.
    public let uniqueConstraintPolicies: [UniqueConstraintPolicy]

    let objectType: CoreStoreObject.Type

    init(
        type: CoreStoreObject.Type, entityName: EntityName, isAbstract: Bool, versionHashModifier: String?,
        indexes: [[KeyPathString]],
        uniqueConstraints: [(attributes: [KeyPathString], policy: UniqueConstraintPolicy)]
    ) {
        objectType = type
        self.entityName = entityName
        self.isAbstract = isAbstract
        self.versionHashModifier = versionHashModifier
        self.indexes = indexes
        self.uniqueConstraints = uniqueConstraints.map(\.attributes)
        uniqueConstraintPolicies = uniqueConstraints.map(\.policy)
    }

    /// Returns whether both entities have the same name and class.
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
