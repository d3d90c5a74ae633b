public import CofferStorage

extension DynamicObject where Self: CoreStoreObject {
    /// The namespace of relationships that were declared before `Field` was there.
    @available(*, deprecated, message: "Use '@Field.Relationship', which keeps the same links in the same place.")
    public typealias Relationship = RelationshipContainer<Self>
}

/// The namespace of the relationships of one class; spelled `Relationship` inside it.
public enum RelationshipContainer<O: CoreStoreObject> {
    /// What happens to related objects when an object is deleted.
    public typealias DeleteRule = CofferStorage.DeleteRule
}
