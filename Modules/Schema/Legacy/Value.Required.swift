public import CofferStorage

extension ValueContainer {
    /// A stored value that is always there, as it was declared before `@Field.Stored`.
    public final class Required<V: ImportableAttributeType>: LegacyAttribute<O, V, V> {
        /// A property.
        ///
        /// - Parameters:
        ///   - keyPath: the attribute's name in the store.
        ///   - initial: the default.
        ///   - isTransient: whether the value is kept with the object and not in the store.
        ///   - versionHashModifier: changes the entity's version hash when nothing else does.
        ///   - renamingIdentifier: the attribute's name in the previous version of the model.
        ///   - customGetter: replaces reading.
        ///   - customSetter: replaces writing.
        ///   - affectedByKeyPaths: the properties whose changes are also reported as changes of this one.
        public init(
            _ keyPath: KeyPathString, initial: @autoclosure @escaping () -> V, isTransient: Bool = false,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            customGetter: ((_ partialObject: PartialObject<O>) -> V)? = nil,
            customSetter: ((_ partialObject: PartialObject<O>, _ newValue: V) -> Void)? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            super.init(
                keyPath, isTransient ? .transient : .stored(.required()), initial, versionHashModifier,
                renamingIdentifier,
                affectedByKeyPaths
            ) {
                isTransient
                    ? .transient($0, customGetter, customSetter)
                    : .importable(.required(), $0, customGetter, customSetter)
            }
        }
    }
}
