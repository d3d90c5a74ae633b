import CofferStorage

/// The registration of a class in a schema, with its name in the store, indexes and unique constraints.
///
/// ```swift
/// Entity<Person>("Person", indexes: [[\.$city, \.$name]], uniqueConstraints: [[\.$email]: .throwError])
/// ```
///
/// The entity inherits from the nearest registered superclass. Register each superclass that declares fields, or its
/// fields do not exist. If the entities contradict each other, for example without an inverse of a relationship, adding
/// a store throws `invalidModel`.
public final class Entity<O: CoreStoreObject>: DynamicEntity {
    /// An entity of class `O`.
    ///
    /// - Parameters:
    ///   - entityName: the name in the store; need not be the class's.
    ///   - isAbstract: whether only sub-entities have objects.
    ///   - versionHashModifier: changes the version hash when nothing else does.
    ///   - indexes: each a list of stored fields for one compound index.
    ///   - uniqueConstraints: each a list of stored fields whose values no two objects share. Only the root of an
    ///     inheritance tree may have any. **A new object that has the values of a stored one overwrites that one when it
    ///     is saved** (``UniqueConstraintPolicy/merge``), as in CoreStore. Where users enter the values, as in a sign-up,
    ///     give the constraint another policy: `[[\.$email]: .throwError]`.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = [], uniqueConstraints: [[PartialKeyPath<O>]]
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes,
            uniqueConstraints: uniqueConstraints
        )
    }

    /// An entity of class `O` without unique constraints.
    public convenience init(
        _ entityName: String, isAbstract: Bool = false, versionHashModifier: String? = nil,
        indexes: [[PartialKeyPath<O>]] = []
    ) {
        self.init(
            O.self, entityName, isAbstract: isAbstract, versionHashModifier: versionHashModifier, indexes: indexes
        )
    }

    /// An entity of a given class.
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

    /// An entity of a given class without unique constraints.
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
