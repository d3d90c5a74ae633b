public import CofferStorage

extension ValueContainer {
    /// A required stored value; superseded by `@Field.Stored`.
    public final class Required<V: ImportableAttributeType>: LegacyAttribute<O, V, V> {
        /// Creates a property.
        ///
        /// - Parameters:
        ///   - keyPath: the attribute's name in the store.
        ///   - initial: the initial value.
        ///   - isTransient: whether the value is only in memory, and not in the store.
        ///   - versionHashModifier: a string that changes the version hash of the entity.
        ///   - renamingIdentifier: the attribute's name in the previous version of the model.
        ///   - customGetter: a closure that returns the value of the property.
        ///   - customSetter: a closure that sets the value of the property.
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
                keyPath, isTransient: isTransient, .stored(.required()), initial, versionHashModifier,
                renamingIdentifier,
                customGetter, customSetter, affectedByKeyPaths
            ) {
                (.importable(.required(), $0), .importable(.required(), customGetter, customSetter))
            }
        }
    }
}
