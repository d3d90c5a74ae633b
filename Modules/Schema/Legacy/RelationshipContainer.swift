public import CofferStorage

extension DynamicObject where Self: CoreStoreObject {
    /// The namespace of relationships that were declared before `Field` existed.
    @available(*, deprecated, message: "Use '@Field.Relationship', which stores the same links in the same place.")
    public typealias Relationship = RelationshipContainer<Self>
}

/// The namespace of the relationships of one class; inside the class, its name is `Relationship`.
public enum RelationshipContainer<O: CoreStoreObject> {
    /// The effect of a deletion on the related objects.
    public typealias DeleteRule = CofferStorage.DeleteRule
}
