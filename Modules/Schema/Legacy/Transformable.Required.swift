public import CofferStorage
public import Foundation

extension TransformableContainer {
    /// An archived object that is always there, as it was declared before `@Field.Coded`.
    public final class Required<V: NSCoding & NSCopying>: AttributeKeyPathStringConvertible {
        /// The class that declares the property.
        public typealias ObjectType = O
        /// The type of the values.
        public typealias DestinationValueType = V
        /// What reading the property gives.
        public typealias ReturnValueType = DestinationValueType

        let link: LegacyLink<V>

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
            _ keyPath: KeyPathString, initial: @autoclosure @escaping () -> V, isTransient: Bool = false,
            allowsExternalBinaryDataStorage: Bool = false,
            versionHashModifier: @autoclosure @escaping () -> String? = nil,
            renamingIdentifier: @autoclosure @escaping () -> String? = nil,
            customGetter: ((_ partialObject: PartialObject<O>) -> V)? = nil,
            customSetter: ((_ partialObject: PartialObject<O>, _ newValue: V) -> Void)? = nil,
            affectedByKeyPaths: @autoclosure @escaping () -> Set<String> = []
        ) {
            let access: LegacyAccess<V> = isTransient ? .transient : .coded
            link = LegacyLink(keyPath, access, fallback: initial) {
                FieldDescriptor(
                    keyPath: keyPath,
                    kind: isTransient
                        ? .transient(initial(), customGetter, customSetter)
                        : .archived(initial(), customGetter, customSetter),
                    reading: FieldReading(ofObject: access.read), versionHashModifier: versionHashModifier,
                    previousVersionKeyPath: renamingIdentifier, affectedByKeyPaths: affectedByKeyPaths, isLegacy: true
                )
            }
        }

        /// The value, through the accessors.
        public var value: ReturnValueType {
            get { link.value }
            set { link.value = newValue }
        }

        /// The attribute's name in the store.
        public var cs_keyPathString: String { link.keyPath }
    }
}
