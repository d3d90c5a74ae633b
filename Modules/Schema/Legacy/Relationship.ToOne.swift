public import CofferStorage

extension RelationshipContainer {
    /// A relationship to at most one object, as it was declared before `@Field.Relationship`.
    public final class ToOne<D: CoreStoreObject>: LegacyRelationship<O, D?> {
        /// A relationship whose inverse names this one.
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

        /// A relationship whose inverse is the relationship that a closure picks: `inverse: { $0.master }`.
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
