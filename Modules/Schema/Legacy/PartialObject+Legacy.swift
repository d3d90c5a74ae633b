import CofferStorage

/// The values of deprecated properties: those of `Value` and `Transformable`.
extension PartialObject {
    /// The value of a property, through its accessors.
    public func value<V>(for property: (O) -> LegacyAttribute<O, V, V>) -> V {
        property(completeObject()).value
    }

    /// The value of a property that may be missing, through its accessors.
    public func value<V>(for property: (O) -> LegacyAttribute<O, V?, V>) -> V? {
        property(completeObject()).value
    }

    /// Sets the value of a property, through its accessors.
    public func setValue<V, D>(_ value: V, for property: (O) -> LegacyAttribute<O, V, D>) {
        property(completeObject()).value = value
    }

    /// The value of a property, past its accessors; where there is none, its default, or nil if it may be missing.
    public func primitiveValue<V, D>(for property: (O) -> LegacyAttribute<O, V, D>) -> V {
        property(completeObject()).primitiveValueOrDefault
    }

    /// Sets the value of a property, past its accessors.
    public func setPrimitiveValue<V, D>(_ value: V, for property: (O) -> LegacyAttribute<O, V, D>) {
        property(completeObject()).primitiveValue = value
    }
}
