extension ValueContainer.Required {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension ValueContainer.Optional {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension TransformableContainer.Required {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension TransformableContainer.Optional {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension RelationshipContainer.ToOne {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension RelationshipContainer.ToManyOrdered {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}

extension RelationshipContainer.ToManyUnordered {
    /// The object that the property belongs to; nil when it is gone, and for one of a meta object.
    package var owner: CoreStoreObject? { link.owner }
}
