public import CofferSchema

// The observation of deprecated properties. The documentation of `CoreStoreObject.observe(_:options:changeHandler:)`
// describes the options.

/// Observes deprecated properties of an object with a closure.
extension LegacyProperty {
    /// - Parameters:
    ///   - none: the value after the property was deallocated.
    ///   - value: converts the value of the property to the value of a change.
    fileprivate func observation<Observed, Difference: CoreStoreObjectDiff<Observed>>(
        _ options: ObservationOptions, none: Observed, _ value: @escaping (V) -> Observed,
        _ changeHandler: @escaping (O, Difference) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let observation = PropertyObservation<O, Observed>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self.map { value($0.value) } ?? none
        } _: { object, change in
            changeHandler(object, Difference(change, none: none))
        }
        return observation ?? NoObservation()
    }
}

extension ValueContainer.Required {
    /// Calls a closure each time the value is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: nil, { $0 }, changeHandler)
    }
}

extension ValueContainer.Optional {
    /// Calls a closure each time the value is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: nil, { $0 }, changeHandler)
    }
}

extension TransformableContainer.Required {
    /// Calls a closure each time the object is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectTransformableDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: nil, { $0 }, changeHandler)
    }
}

extension TransformableContainer.Optional {
    /// Calls a closure each time the object is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectTransformableDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: nil, { $0 }, changeHandler)
    }
}

extension RelationshipContainer.ToOne {
    /// Calls a closure each time the relationship or its inverse is set.
    ///
    /// The calls end when the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectObjectDiff<D>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: nil, { $0 }, changeHandler)
    }
}

extension RelationshipContainer.ToManyUnordered {
    /// Calls a closure each time the relationship or its inverse is set.
    ///
    /// The calls end when the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectUnorderedDiff<D>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: [], { $0 }, changeHandler)
    }
}

extension RelationshipContainer.ToManyOrdered {
    /// Calls a closure each time the relationship or its inverse is set.
    ///
    /// The calls end when the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectOrderedDiff<D>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        observation(options, none: [], { $0 }, changeHandler)
    }
}
