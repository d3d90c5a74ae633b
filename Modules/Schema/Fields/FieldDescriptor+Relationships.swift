import CofferStorage

/// Creates the description of a relationship from the arguments of its property wrapper.
extension FieldDescriptor {
    static func relationship<V: FieldRelationshipType>(
        _ type: V.Type, _ keyPath: KeyPathString, _ counts: (Int, Int), _ inverse: (() -> KeyPathString)?,
        _ deleteRule: DeleteRule, _ versionHashModifier: @escaping () -> String?,
        _ previousVersionKeyPath: @escaping () -> String?, _ affectedBy: @escaping () -> Set<KeyPathString>
    ) -> FieldDescriptor {
        FieldDescriptor(
            keyPath: keyPath,
            kind: .relationship(
                .init(
                    isToMany: V._isToMany, isOrdered: V._isOrdered, destination: V.DestinationObjectType.self,
                    inverse: inverse, minCount: counts.0, maxCount: counts.1, deleteRule: deleteRule
                )
            ),
            reading: FieldReading { (object: CoreStoreObject, word) in V._related(word.slot, of: object) },
            versionHashModifier: versionHashModifier, previousVersionKeyPath: previousVersionKeyPath,
            affectedByKeyPaths: affectedBy
        )
    }
}
