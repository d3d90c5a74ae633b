/// Reads and writes deprecated properties of `Value` and `Transformable` in a partial object.
extension PartialObject {
    /// Returns the value of a property; the accessors of the property are used.
    public func value<V>(for property: (O) -> LegacyAttribute<O, V, V>) -> V {
        property(completeObject()).value
    }

    /// Returns the value of an optional property; the accessors of the property are used.
    public func value<V>(for property: (O) -> LegacyAttribute<O, V?, V>) -> V? {
        property(completeObject()).value
    }

    /// Sets the value of a property; the accessors of the property are used.
    public func setValue<V, D>(_ value: V, for property: (O) -> LegacyAttribute<O, V, D>) {
        property(completeObject()).value = value
    }

    /// Returns the value of a property without its accessors.
    ///
    /// If there is no value, the result is the initial value; for an optional property, it is nil.
    public func primitiveValue<V, D>(for property: (O) -> LegacyAttribute<O, V, D>) -> V {
        property(completeObject()).primitiveValueOrDefault
    }

    /// Sets the value of a property without its accessors.
    public func setPrimitiveValue<V, D>(_ value: V, for property: (O) -> LegacyAttribute<O, V, D>) {
        property(completeObject()).primitiveValue = value
    }
}
