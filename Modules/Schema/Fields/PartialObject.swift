import CofferStorage
public import CofferStorageTools

/// The values of an object, past the accessors of its properties.
///
/// ```swift
/// person.partialObject().primitiveValue(for: { $0.$nickname })
/// ```
///
/// Custom accessors of the deprecated `Value` and `Transformable` get one; elsewhere it is rarely needed.
public struct PartialObject<O: CoreStoreObject> {
    private let object: O

    init(_ object: O) {
        self.object = object
    }

    /// The object itself.
    public func completeObject() -> O { object }

    // MARK: Fields

    /// The value of a stored field, through its accessors.
    public func value<V>(for property: (O) -> FieldContainer<O>.Stored<V>) -> V {
        object.readSpecial(property(object).word)
    }

    /// The value of a virtual field, through its accessors.
    public func value<V>(for property: (O) -> FieldContainer<O>.Virtual<V>) -> V {
        object.readVirtual(property(object).word)
    }

    /// The stored value of a field; its default where that is null and the field is not optional.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Stored<V>) -> V {
        object.readStored(property(object).word)
    }

    /// The value that was set; nil when none was.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Virtual<V>) -> V? {
        object.virtualValue(property(object).word)
    }

    /// The stored value of a coded field; nil for null.
    public func primitiveValue<V>(for property: (O) -> FieldContainer<O>.Coded<V>) -> V? {
        object.decodedPrimitive(property(object).word)
    }

    /// Sets the stored value of a field, whatever its accessors do.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> FieldContainer<O>.Stored<V>) {
        object.setPrimitiveValue(value, property(object).word)
    }

    /// Sets the value of a virtual field, whatever its accessors do, and tells nobody.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> FieldContainer<O>.Virtual<V>) {
        object.setVirtualValue(value, property(object).word)
    }
}

extension DynamicObject where Self: CoreStoreObject {
    /// The object's values, past its accessors.
    public func partialObject() -> PartialObject<Self> { PartialObject(self) }
}

extension PartialObject: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The fields of the object.
    public var coreStoreDumpString: String {
        object.coreStoreDumpString
    }
}
