extension DynamicObject where Self: CoreStoreObject {
    /// The namespace of properties that were declared before `Field` existed.
    @available(*, deprecated, message: "Use '@Field.Stored', which stores the same values in the same place.")
    public typealias Value = ValueContainer<Self>
}

/// The namespace of the stored properties of one class; inside the class, its name is `Value`.
public enum ValueContainer<O: CoreStoreObject> {}
