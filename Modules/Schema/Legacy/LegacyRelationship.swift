import CofferStorage

/// The superclass of the deprecated relationships: the properties of `Relationship`.
public class LegacyRelationship<O: CoreStoreObject, V: FieldRelationshipType>:
    LegacyProperty<O, V, V.DestinationObjectType>, RelationshipKeyPathStringConvertible
{
    init(
        _ keyPath: KeyPathString, counts: (Int, Int) = (0, 0), _ inverse: (() -> KeyPathString)?,
        _ deleteRule: DeleteRule, _ versionHashModifier: @escaping () -> String?,
        _ renamingIdentifier: @escaping () -> String?, _ affectedByKeyPaths: @escaping () -> Set<String>
    ) {
        super.init(keyPath, .related(), fallback: { V._empty }) {
            FieldContainer<O>.Relationship<V>.describe(
                keyPath, counts, inverse, deleteRule, versionHashModifier, renamingIdentifier, affectedByKeyPaths
            )
        }
    }
}

extension KeyPathString {
    /// The name of the relationship that a closure returns.
    init<D: CoreStoreObject, R: RelationshipKeyPathStringConvertible>(inverse: (D) -> R) {
        self = inverse(MetaObjects.meta(of: D.self)).cs_keyPathString
    }
}
