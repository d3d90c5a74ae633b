public import CofferStorageTools

/// Reads and writes the values of an object with or without the accessors of its properties: `partialObject()`.
///
/// ```swift
/// person.partialObject().primitiveValue(for: { $0.$nickname })
/// ```
///
/// Custom accessors of the deprecated `Value` and `Transformable` receive a partial object. Other code rarely needs it.
public struct PartialObject<O: CoreStoreObject> {
    private let object: O

    init(_ object: O) { self.object = object }

    /// The object itself.
    public func completeObject() -> O { object }

    // MARK: Fields

    /// The value of a stored field, read by its accessors.
    public func value<V>(for property: (O) -> FieldContainer<O>.Stored<V>) -> V {
        object.readSpecial(property(object).word)
    }

    /// The value of a virtual field, read by its accessors.
    public func value<V>(for property: (O) -> FieldContainer<O>.Virtual<V>) -> V {
        object.readVirtual(property(object).word)
    }

    /// The stored value of a field; the default if the value is null and the field is not optional.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Stored<V>) -> V {
        object.readStored(property(object).word)
    }

    /// The value that was set; nil if no value was set.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Virtual<V>) -> V? {
        object.virtualValue(property(object).word)
    }

    /// The stored value of a coded field; nil for null.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Coded<V>) -> V? {
        object.decodedPrimitive(property(object).word)
    }

    /// Sets the stored value of a field, without its accessors.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> FieldContainer<O>.Stored<V>) {
        object.setPrimitiveValue(value, property(object).word)
    }

    /// Sets the value of a virtual field, without its accessors, and notifies no observer.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> FieldContainer<O>.Virtual<V>) {
        object.setVirtualValue(value, property(object).word)
    }
}

extension DynamicObject where Self: CoreStoreObject {
    /// Returns the object's values, without its accessors.
    public func partialObject() -> PartialObject<Self> { PartialObject(self) }
}

extension PartialObject: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The fields of the object.
    public var coreStoreDumpString: String { object.coreStoreDumpString }
}
