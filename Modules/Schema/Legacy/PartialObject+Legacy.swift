import CofferStorage

/// Properties that were declared before `Field` was there.
extension PartialObject {
    // MARK: Value.Required

    /// The value of a property, through its accessors.
    public func value<V>(for property: (O) -> ValueContainer<O>.Required<V>) -> V {
        property(completeObject()).link.value
    }

    /// Sets the value of a property, through its accessors.
    public func setValue<V>(_ value: V, for property: (O) -> ValueContainer<O>.Required<V>) {
        property(completeObject()).link.value = value
    }

    /// The value of a property, past its accessors; its default where there is none.
    public func primitiveValue<V>(for property: (O) -> ValueContainer<O>.Required<V>) -> V {
        property(completeObject()).link.primitiveValueOrDefault
    }

    /// Sets the value of a property, past its accessors.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> ValueContainer<O>.Required<V>) {
        property(completeObject()).link.primitiveValue = value
    }

    // MARK: Value.Optional

    /// The value of a property that may be missing, through its accessors.
    public func value<V>(for property: (O) -> ValueContainer<O>.Optional<V>) -> V? {
        property(completeObject()).link.value
    }

    /// Sets the value of a property that may be missing, through its accessors.
    public func setValue<V>(_ value: V?, for property: (O) -> ValueContainer<O>.Optional<V>) {
        property(completeObject()).link.value = value
    }

    /// The value of a property that may be missing, past its accessors.
    public func primitiveValue<V>(for property: (O) -> ValueContainer<O>.Optional<V>) -> V? {
        property(completeObject()).link.primitiveValue ?? nil
    }

    /// Sets the value of a property that may be missing, past its accessors.
    public func setPrimitiveValue<V>(_ value: V?, for property: (O) -> ValueContainer<O>.Optional<V>) {
        property(completeObject()).link.primitiveValue = value
    }

    // MARK: Transformable.Required

    /// The value of a property, through its accessors.
    public func value<V>(for property: (O) -> TransformableContainer<O>.Required<V>) -> V {
        property(completeObject()).link.value
    }

    /// Sets the value of a property, through its accessors.
    public func setValue<V>(_ value: V, for property: (O) -> TransformableContainer<O>.Required<V>) {
        property(completeObject()).link.value = value
    }

    /// The value of a property, past its accessors; its default where there is none.
    public func primitiveValue<V>(for property: (O) -> TransformableContainer<O>.Required<V>) -> V {
        property(completeObject()).link.primitiveValueOrDefault
    }

    /// Sets the value of a property, past its accessors.
    public func setPrimitiveValue<V>(_ value: V, for property: (O) -> TransformableContainer<O>.Required<V>) {
        property(completeObject()).link.primitiveValue = value
    }

    // MARK: Transformable.Optional

    /// The value of a property that may be missing, through its accessors.
    public func value<V>(for property: (O) -> TransformableContainer<O>.Optional<V>) -> V? {
        property(completeObject()).link.value
    }

    /// Sets the value of a property that may be missing, through its accessors.
    public func setValue<V>(_ value: V?, for property: (O) -> TransformableContainer<O>.Optional<V>) {
        property(completeObject()).link.value = value
    }

    /// The value of a property that may be missing, past its accessors.
    public func primitiveValue<V>(for property: (O) -> TransformableContainer<O>.Optional<V>) -> V? {
        property(completeObject()).link.primitiveValue ?? nil
    }

    /// Sets the value of a property that may be missing, past its accessors.
    public func setPrimitiveValue<V>(_ value: V?, for property: (O) -> TransformableContainer<O>.Optional<V>) {
        property(completeObject()).link.primitiveValue = value
    }
}
