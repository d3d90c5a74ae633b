/// The effect of a deletion on the related objects.
///
/// ```swift
/// class Person: CoreStoreObject {
///     @Field.Relationship("pets", inverse: \.$master, deleteRule: .cascade)
///     var pets: Set<Dog>
/// }
/// ```
///
/// The rule is set on the relationship of the deleted object. The transaction applies it at once, and the commit checks
/// `deny`.
public enum DeleteRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// The related objects lose their reference to the deleted object.
    case nullify
    /// The related objects are deleted as well.
    case cascade
    /// The commit throws `invalidValue` if the deleted object still has related objects.
    case deny
}

/// One side of a relationship between two entities.
///
/// Every relationship has an inverse.
public struct RelationshipDescription: Hashable, Sendable, Codable {
    /// The relationship's name in the store.
    public var name: String
    /// The name of the entity at the other end.
    public var destination: EntityName
    /// The name of the relationship at the other end that leads back.
    public var inverse: String
    /// Whether it may lead to more than one object.
    public var isToMany: Bool
    /// Whether a to-many relationship keeps an order.
    public var isOrdered: Bool
    /// The fewest related objects a saved object may have.
    public var minCount: Int
    /// The most related objects a saved object may have; 0 is no limit.
    public var maxCount: Int
    /// What happens at the other end when an object at this end is deleted.
    public var deleteRule: DeleteRule
    /// Changes the entity's version hash when nothing else does.
    public var versionHashModifier: String?
    /// The name of the same relationship in the previous version of the model.
    public var renamingIdentifier: String?

    /// A relationship; the other end must declare its inverse.
    public init(
        name: String, destination: EntityName, inverse: String, isToMany: Bool, isOrdered: Bool = false,
        minCount: Int = 0, maxCount: Int = 0, deleteRule: DeleteRule = .nullify, versionHashModifier: String? = nil,
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.minCount = minCount
        self.maxCount = maxCount
        self.deleteRule = deleteRule
        self.versionHashModifier = versionHashModifier
        self.renamingIdentifier = renamingIdentifier
    }
}
