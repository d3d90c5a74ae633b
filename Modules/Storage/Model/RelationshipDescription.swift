/// The delete rule of a relationship, which determines the effect of a deletion on the related objects.
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

/// One side of a relationship: the delete rules, the inverse, the order, and the minimum and maximum count.
///
/// Every relationship has an inverse.
public struct RelationshipDescription: Hashable, Sendable, Codable {
    /// The relationship's name in the store.
    public var name: String
    /// The name of the entity of the related objects.
    public var destination: EntityName
    /// The name of the relationship from the related objects back to the owner.
    public var inverse: String
    /// Whether the relationship can have more than one related object.
    public var isToMany: Bool
    /// Whether a to-many relationship is ordered.
    public var isOrdered: Bool
    /// The minimum number of related objects of a saved object.
    public var minCount: Int
    /// The maximum number of related objects of a saved object; 0 means no limit.
    public var maxCount: Int
    /// The effect of a deletion of the owner on the related objects.
    public var deleteRule: DeleteRule
    /// A string that changes the entity's version hash, although the model does not change.
    public var versionHashModifier: String?
    /// The name of the same relationship in the previous version of the model.
    public var renamingIdentifier: String?

    /// Creates a relationship; the other entity must declare its inverse.
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
