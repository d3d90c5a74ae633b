public import CofferStorage

/// Declares the initialisers of `@Field.Relationship`: counts, delete rule, inverse and former name.
extension FieldContainer.Relationship where V: FieldRelationshipToOneType {
    /// Creates a relationship to at most one object; the inverse names this relationship.
    ///
    /// - Parameters:
    ///   - keyPath: the relationship's name in the store.
    ///   - deleteRule: the effect of a deletion of the object on the related objects.
    ///   - versionHashModifier: a string that changes the version hash of the entity.
    ///   - previousVersionKeyPath: the relationship's name in the previous version of the model.
    ///   - affectedByKeyPaths: fields whose changes are also reported as changes of this field.
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

    /// Creates a relationship to at most one object, which names its inverse.
    ///
    /// The other parameters are the same as in the initialiser without an inverse.
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

extension FieldContainer.Relationship where V: FieldRelationshipToManyType {
    /// Creates a relationship to any number of objects, ordered or not; the inverse names this relationship.
    ///
    /// - Parameters:
    ///   - keyPath: the relationship's name in the store.
    ///   - minCount: the minimum number of related objects of a saved object.
    ///   - maxCount: the maximum number of related objects of a saved object; 0 means no limit.
    ///   - deleteRule: the effect of a deletion of the object on the related objects.
    ///   - versionHashModifier: a string that changes the version hash of the entity.
    ///   - previousVersionKeyPath: the relationship's name in the previous version of the model.
    ///   - affectedByKeyPaths: fields whose changes are also reported as changes of this field.
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

    /// Creates a relationship to any number of objects, ordered or not, which names its inverse.
    ///
    /// The other parameters are the same as in the initialiser without an inverse.
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
