public import CofferStorage
public import Foundation

extension TransformableContainer {
    /// An archived object that may be missing, as it was declared before `@Field.Coded`.
    public final class Optional<V: NSCoding & NSCopying>: LegacyAttribute<O, V?, V> {
        /// A property.
        ///
        /// - Parameters:
        ///   - keyPath: the attribute's name in the store.
        ///   - initial: the default.
        ///   - isTransient: whether the value is kept with the object and not in the store.
        ///   - allowsExternalBinaryDataStorage: has no effect; stores decide that themselves.
        ///   - versionHashModifier: changes the entity's version hash when nothing else does.
        ///   - renamingIdentifier: the attribute's name in the previous version of the model.
        ///   - customGetter: replaces reading.
        ///   - customSetter: replaces writing.
        ///   - affectedByKeyPaths: the properties whose changes are also reported as changes of this one.
        public init(
            _ keyPath: KeyPathString, initial: @autoclosure @escaping () -> V? = nil, isTransient: Bool = false,
            allowsExternalBinaryDataStorage: Bool = false,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            customGetter: ((_ partialObject: PartialObject<O>) -> V?)? = nil,
            customSetter: ((_ partialObject: PartialObject<O>, _ newValue: V?) -> Void)? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, isTransient ? .transient : .coded, initial, versionHashModifier, renamingIdentifier,
                affectedByKeyPaths
            ) {
                isTransient
                    ? .transient($0, customGetter, customSetter)
                    : .archived(.optionalArchive(), isOptional: true, $0, customGetter, customSetter)
            }
        }

        override var primitiveValueOrDefault: V? { primitiveValue ?? nil }
    }
}
