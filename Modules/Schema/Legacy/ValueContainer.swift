import CofferStorage

extension DynamicObject where Self: CoreStoreObject {
    /// The namespace of properties that were declared before `Field` was there.
    @available(*, deprecated, message: "Use '@Field.Stored', which keeps the same values in the same place.")
    public typealias Value = ValueContainer<Self>
}

/// The namespace of the stored properties of one class; spelled `Value` inside it.
public enum ValueContainer<O: CoreStoreObject> {}
