import CofferStorage

/// The registration of a class in a schema: its name, and its indexes and constraints, which must name stored fields.
///
/// ```swift
/// Entity<Person>("Person", indexes: [[\.$city, \.$name]], uniqueConstraints: [[\.$email]: .throwError])
/// ```
///
/// The entity inherits from the nearest registered superclass. Register each superclass that declares fields, because
/// otherwise the schema is refused. If the entities contradict each other, for example if a relationship has no
/// inverse, adding a store throws `invalidModel`.
public final class Entity<O: CoreStoreObject>: DynamicEntity {
    /// Creates an entity of class `O`.
    ///
    /// - Parameters:
    ///   - entityName: the name in the store. It may differ from the name of the class.
    ///   - isAbstract: whether only sub-entities can have objects.
    ///   - versionHashModifier: a string that changes the version hash, although the model does not change.
    ///   - indexes: the compound indexes, each as a list of stored fields.
    ///   - uniqueConstraints: the constraints, each as a list of stored fields whose values no two objects may share.
    ///     Only the root of an inheritance tree may have constraints. **If a new object has the values of a stored
    ///     object, the commit overwrites the stored object** (``UniqueConstraintPolicy/merge``), as in CoreStore. If
    ///     users enter the values, as in a sign-up, give the constraint another policy: `[[\.$email]: .throwError]`.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: [[PartialKeyPath<O>]]
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes,
            uniqueConstraints: uniqueConstraints
        )
    }

    /// Creates an entity of class `O` without unique constraints.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = []
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes
        )
    }

    /// Creates an entity of a given class.
    public init(
        _ type: O.Type, _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: [[PartialKeyPath<O>]]
    ) {
        super.init(
            type: type, entityName: entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
            indexes: indexes.map { $0.map { Self.name($0, entityName) } },
            uniqueConstraints: uniqueConstraints.map { ($0.map { Self.name($0, entityName) }, .merge) }
        )
    }

    /// Creates an entity of a given class without unique constraints.
    public init(
        _ type: O.Type, _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = []
    ) {
        super.init(
            type: type, entityName: entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
            indexes: indexes.map { $0.map { Self.name($0, entityName) } }, uniqueConstraints: []
        )
    }

    init(
        type: O.Type, entityName: String, isAbstract: Bool, versionHashModifier: String?, indexes: [[KeyPathString]],
        uniqueConstraints: [(attributes: [KeyPathString], policy: UniqueConstraintPolicy)]
    ) {
        super.init(
            type: type, entityName: entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier,
            indexes: indexes, uniqueConstraints: uniqueConstraints
        )
    }

    static func name(_ keyPath: PartialKeyPath<O>, _ entityName: String) -> KeyPathString {
        let meta = MetaObjects.meta(of: O.self)
        guard let field = meta[keyPath: keyPath] as? any AttributeKeyPathStringConvertible else {
            if let relationship = meta[keyPath: keyPath] as? any RelationshipKeyPathStringConvertible {
                let name = relationship.cs_keyPathString
                Diagnostics.assert(
                    false,
                    "An index or unique constraint of '\(entityName)' names '\(name)', which is a relationship. Name "
                        + "stored fields only, as '\\.$field'.")
                return name
            }
            Diagnostics.assert(
                false,
                "An index or unique constraint of '\(entityName)' names \(keyPath), which is not a stored field. "
                    + "Name it as '\\.$field'."
            )
            return "\(keyPath)"
        }
        return field.cs_keyPathString
    }
}
