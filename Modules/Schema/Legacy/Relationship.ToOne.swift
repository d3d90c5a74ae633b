public import CofferStorage

extension RelationshipContainer {
    /// A relationship to at most one object; superseded by `@Field.Relationship`.
    public final class ToOne<D: CoreStoreObject>: LegacyRelationship<O, D?> {
        /// Creates a relationship that does not name its inverse; the inverse names this relationship.
        public init(
            _ keyPath: KeyPathString, deleteRule: DeleteRule = .nullify,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, nil, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }

        /// Creates a relationship with an inverse that a closure returns: `inverse: { $0.master }`.
        public init<R>(
            _ keyPath: KeyPathString, inverse: @escaping (D) -> LegacyRelationship<D, R>,
            deleteRule: DeleteRule = .nullify,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) where R.DestinationObjectType == O {
            super.init(
                keyPath, { KeyPathString(inverse: inverse) }, deleteRule, versionHashModifier,
                renamingIdentifier, affectedByKeyPaths
            )
        }
    }
}
