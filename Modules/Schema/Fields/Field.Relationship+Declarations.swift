public import CofferStorage

extension FieldContainer.Relationship where V: FieldRelationshipToOneType {
    /// A relationship to at most one object, whose inverse names this one.
    ///
    /// - Parameters:
    ///   - keyPath: the relationship's name in the store.
    ///   - deleteRule: what happens to related objects when the object is deleted.
    ///   - versionHashModifier: changes the entity's version hash when nothing else does.
    ///   - previousVersionKeyPath: the relationship's name in the previous version of the model.
    ///   - affectedByKeyPaths: the fields whose changes are also reported as changes of this one.
    @inlinable
    public init(
        _ keyPath: KeyPathString, deleteRule: DeleteRule = .nullify,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, (0, 0), nil, deleteRule, versionHashModifier, previousVersionKeyPath, affectedByKeyPaths
            )
        }
    }

    /// A relationship to at most one object, which names its inverse; otherwise as the other initialiser.
    @inlinable
    public init<D>(
        _ keyPath: KeyPathString,
        inverse: KeyPath<V.DestinationObjectType, FieldContainer<V.DestinationObjectType>.Relationship<D>>,
        deleteRule: DeleteRule = .nullify, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) where D: FieldRelationshipType {
        word = .next {
            Self.describe(
                keyPath, (0, 0), { KeyPathString(keyPath: inverse) }, deleteRule, versionHashModifier,
                previousVersionKeyPath, affectedByKeyPaths
            )
        }
    }
}

extension FieldContainer.Relationship where V: FieldRelationshipToManyOrderedType {
    /// A relationship to many objects in order, whose inverse names this one.
    ///
    /// - Parameters:
    ///   - keyPath: the relationship's name in the store.
    ///   - minCount: the fewest related objects a saved object may have.
    ///   - maxCount: the most related objects a saved object may have; 0 is no limit.
    ///   - deleteRule: what happens to related objects when the object is deleted.
    ///   - versionHashModifier: changes the entity's version hash when nothing else does.
    ///   - previousVersionKeyPath: the relationship's name in the previous version of the model.
    ///   - affectedByKeyPaths: the fields whose changes are also reported as changes of this one.
    @inlinable
    public init(
        _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, (minCount, maxCount), nil, deleteRule, versionHashModifier, previousVersionKeyPath,
                affectedByKeyPaths
            )
        }
    }

    /// A relationship to many objects in order, which names its inverse; otherwise as the other initialiser.
    @inlinable
    public init<D>(
        _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0,
        inverse: KeyPath<V.DestinationObjectType, FieldContainer<V.DestinationObjectType>.Relationship<D>>,
        deleteRule: DeleteRule = .nullify, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) where D: FieldRelationshipType {
        word = .next {
            Self.describe(
                keyPath, (minCount, maxCount), { KeyPathString(keyPath: inverse) }, deleteRule, versionHashModifier,
                previousVersionKeyPath, affectedByKeyPaths
            )
        }
    }
}

extension FieldContainer.Relationship where V: FieldRelationshipToManyUnorderedType {
    /// A relationship to many objects, whose inverse names this one.
    ///
    /// - Parameters:
    ///   - keyPath: the relationship's name in the store.
    ///   - minCount: the fewest related objects a saved object may have.
    ///   - maxCount: the most related objects a saved object may have; 0 is no limit.
    ///   - deleteRule: what happens to related objects when the object is deleted.
    ///   - versionHashModifier: changes the entity's version hash when nothing else does.
    ///   - previousVersionKeyPath: the relationship's name in the previous version of the model.
    ///   - affectedByKeyPaths: the fields whose changes are also reported as changes of this one.
    @inlinable
    public init(
        _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify,
        versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) {
        word = .next {
            Self.describe(
                keyPath, (minCount, maxCount), nil, deleteRule, versionHashModifier, previousVersionKeyPath,
                affectedByKeyPaths
            )
        }
    }

    /// A relationship to many objects, which names its inverse; otherwise as the other initialiser.
    @inlinable
    public init<D>(
        _ keyPath: KeyPathString, minCount: Int = 0, maxCount: Int = 0,
        inverse: KeyPath<V.DestinationObjectType, FieldContainer<V.DestinationObjectType>.Relationship<D>>,
        deleteRule: DeleteRule = .nullify, versionHashModifier: @autoclosure @escaping () -> String? = nil,
        previousVersionKeyPath: @autoclosure @escaping () -> String? = nil,
        affectedByKeyPaths: @autoclosure @escaping () -> Set<KeyPathString> = []
    ) where D: FieldRelationshipType {
        word = .next {
            Self.describe(
                keyPath, (minCount, maxCount), { KeyPathString(keyPath: inverse) }, deleteRule, versionHashModifier,
                previousVersionKeyPath, affectedByKeyPaths
            )
        }
    }
}
