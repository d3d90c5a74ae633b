public import CofferSchema

// Properties that were declared before `Field` was there.

extension ValueContainer.Required {
    /// Calls a closure each time the value is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let observation = PropertyObservation<O, V?>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value
        } _: { object, change in
            changeHandler(object, CoreStoreObjectValueDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
    }
}

extension ValueContainer.Optional {
    /// Calls a closure each time the value is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectValueDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let observation = PropertyObservation<O, V?>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value
        } _: { object, change in
            changeHandler(object, CoreStoreObjectValueDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
    }
}

extension TransformableContainer.Required {
    /// Calls a closure each time the object is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectTransformableDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let observation = PropertyObservation<O, V?>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value
        } _: { object, change in
            changeHandler(object, CoreStoreObjectTransformableDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
    }
}

extension TransformableContainer.Optional {
    /// Calls a closure each time the object is set, until the observation is invalidated or deallocated.
    ///
    /// See `CoreStoreObject.observe(_:options:changeHandler:)`.
    public func observe(
        options: ObservationOptions = [], changeHandler: @escaping (O, CoreStoreObjectTransformableDiff<V>) -> Void
    ) -> any CoreStoreObjectKeyValueObservation {
        let observation = PropertyObservation<O, V?>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value
        } _: { object, change in
            changeHandler(object, CoreStoreObjectTransformableDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
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
        let observation = PropertyObservation<O, D?>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value
        } _: { object, change in
            changeHandler(object, CoreStoreObjectObjectDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
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
        let observation = PropertyObservation<O, Set<D>>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value ?? []
        } _: { object, change in
            changeHandler(object, CoreStoreObjectUnorderedDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
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
        let observation = PropertyObservation<O, [D]>(owner as? O, cs_keyPathString, options) { [weak self] _ in
            self?.value ?? []
        } _: { object, change in
            changeHandler(object, CoreStoreObjectOrderedDiff(change))
        }
        return observation ?? NoObservation(cs_keyPathString)
    }
}
