extension DynamicObject where Self: CoreStoreObject {
    /// The namespace of archived properties that were declared before `Field` existed.
    @available(
        *, deprecated,
        message: "Use '@Field.Coded' with 'FieldCoders.NSCoding.self', which stores the same values in the same place."
    )
    public typealias Transformable = TransformableContainer<Self>
}

/// The namespace of the archived properties of one class; inside the class, its name is `Transformable`.
public enum TransformableContainer<O: CoreStoreObject> {}
