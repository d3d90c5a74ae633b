import CofferStorage

/// The superclass of the deprecated properties with values: the properties of `Value` and `Transformable`.
public class LegacyAttribute<O: CoreStoreObject, V, D>: LegacyProperty<O, V, D>, AttributeKeyPathStringConvertible {
    /// - Parameters:
    ///   - isTransient: whether the value is only in memory, and not in the store.
    ///   - access: reads and writes a value of the store.
    ///   - content: returns the kind in the model and the accessors for the initial value of the store.
    init(
        _ keyPath: KeyPathString, isTransient: Bool, _ access: FieldAccess<V>, _ initial: @escaping () -> V,
        _ versionHashModifier: @escaping () -> String?, _ renamingIdentifier: @escaping () -> String?,
        _ getter: ((PartialObject<O>) -> V)?, _ setter: ((PartialObject<O>, V) -> Void)?,
        _ affectedByKeyPaths: @escaping () -> Set<String>,
        _ content: (V) -> (FieldDescriptor.Kind, FieldDescriptor.Accessors)
    ) {
        let access = isTransient ? .virtual : access
        super.init(keyPath, access, fallback: initial) {
            let value = initial()
            let (kind, accessors) =
                isTransient ? (.virtual, .plain(getter, setter, fallback: value)) : content(value)
            return FieldDescriptor(
                keyPath: keyPath, kind: kind, accessors: accessors, reading: FieldReading(ofObject: access.read),
                versionHashModifier: versionHashModifier, previousVersionKeyPath: renamingIdentifier,
                affectedByKeyPaths: affectedByKeyPaths
            )
        }
    }

    /// The value without the accessors; nil if there is no value.
    var primitiveValue: V? {
        get {
            guard let owner else {
                reportMissingOwner()
                return nil
            }
            return access.readPrimitive(owner, word)
        }
        set {
            guard let owner else { return reportMissingOwner() }
            access.writePrimitive(owner, word, newValue)
        }
    }

    /// The value without the accessors; the initial value if there is no value.
    var primitiveValueOrDefault: V { primitiveValue ?? fallback() }
}
