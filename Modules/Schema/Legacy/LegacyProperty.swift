import CofferStorage

/// The superclass of the deprecated properties: the properties of `Value`, `Transformable` and `Relationship`.
///
/// A field occupies one small word of its object. A deprecated property is an object with a reference to its owner.
/// Only the properties of Coffer are subclasses.
///
/// - Parameters:
///   - O: the class that declares the property.
///   - V: the type of the property.
///   - D: the type of the values, or the class of the related objects.
public class LegacyProperty<O: CoreStoreObject, V, D>: KeyPathStringConvertible, LinkedProperty {
    /// The class that declares the property.
    public typealias ObjectType = O
    /// The type of the values, or the class of the related objects.
    public typealias DestinationValueType = D
    /// The type of the value that a read of the property returns.
    public typealias ReturnValueType = V

    /// The property's name in the store.
    public let cs_keyPathString: String
    /// The object that the property belongs to; nil if the object was deallocated, and for a property of a meta object.
    package private(set) weak var owner: CoreStoreObject?
    let word: FieldWord
    let access: FieldAccess<V>
    let fallback: () -> V

    init(
        _ keyPath: KeyPathString, _ access: FieldAccess<V>, fallback: @escaping () -> V,
        _ describe: () -> FieldDescriptor
    ) {
        cs_keyPathString = keyPath
        self.access = access
        self.fallback = fallback
        word = .next(describe)
        FieldCollector.current?.links.append(self)
    }

    func link(to object: CoreStoreObject) { owner = object }

    /// The value or the related objects, read and written with the accessors.
    public var value: V {
        get {
            guard let owner else {
                reportMissingOwner()
                return fallback()
            }
            #if DEBUG
                if !access.checksReads { owner.checkRead() }
            #endif
            return access.read(owner, word)
        }
        set {
            guard let owner else { return reportMissingOwner() }
            access.write(owner, word, newValue)
        }
    }

    func reportMissingOwner() {
        Diagnostics.assert(
            false,
            word.isBound
                ? "The property '\(cs_keyPathString)' was used after its object was deallocated. Keep the object."
                : "The property '\(cs_keyPathString)' belongs to a meta object. It has a key path but no value."
        )
    }
}
