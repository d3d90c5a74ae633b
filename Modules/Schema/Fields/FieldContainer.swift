extension DynamicObject where Self: CoreStoreObject {
    /// The property wrappers of the class: `@Field.Stored`, `@Field.Coded`, `@Field.Virtual`, `@Field.Relationship`.
    public typealias Field = FieldContainer<Self>
}

/// The namespace of the property wrappers of one class; inside the class, its name is `Field`.
public enum FieldContainer<O: CoreStoreObject> {}
