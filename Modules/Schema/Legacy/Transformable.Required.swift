public import CofferStorage
public import Foundation

extension TransformableContainer {
    /// A required archived object; superseded by `@Field.Coded`.
    public final class Required<V: NSCoding & NSCopying>: LegacyAttribute<O, V, V> {
        /// Creates a property.
        ///
        /// - Parameters:
        ///   - keyPath: the attribute's name in the store.
        ///   - initial: the initial value.
        ///   - isTransient: whether the value is only in memory, and not in the store.
        ///   - allowsExternalBinaryDataStorage: has no effect, and exists for source compatibility.
        ///   - versionHashModifier: a string that changes the version hash of the entity.
        ///   - renamingIdentifier: the attribute's name in the previous version of the model.
        ///   - customGetter: a closure that returns the value of the property.
        ///   - customSetter: a closure that sets the value of the property.
        ///   - affectedByKeyPaths: the properties whose changes are also reported as changes of this one.
        public init(
            _ keyPath: KeyPathString, initial: @autoclosure @escaping () -> V, isTransient: Bool = false,
            allowsExternalBinaryDataStorage: Bool = false,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            customGetter: ((_ partialObject: PartialObject<O>) -> V)? = nil,
            customSetter: ((_ partialObject: PartialObject<O>, _ newValue: V) -> Void)? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, isTransient: isTransient, .coded, initial, versionHashModifier, renamingIdentifier,
                customGetter, customSetter, affectedByKeyPaths
            ) {
                (
                    .stored(.coded(FieldCoding(LegacyArchiveCoder<V>.self), isOptional: false, $0, nil)),
                    .plain(customGetter, customSetter, fallback: $0)
                )
            }
        }
    }
}
