/// The layout of a relationship: its owner, destination and inverse, and the slot or link table that stores it.
public struct RelationshipLayout: Hashable, Sendable {
    /// The place where a relationship is stored.
    public enum Storage: Hashable, Sendable {
        /// To-one: a slot of the entity's own rows, and the slot of the row's place in the ordered inverse.
        case reference(slot: Int, positionSlot: Int?)
        /// One-to-many: a slot of the *related* rows that contains the owner's key, and the slot of their places.
        case inverse(slot: Int, positionSlot: Int?)
        /// Many-to-many: a table of links; if `isFirst` is true, its first column has the owner's key.
        case links(table: Int, isFirst: Bool)
    }

    /// The relationship's name.
    public let name: String
    /// The index of the entity that declares the relationship.
    public let owner: Int
    /// The index of the relationship in ``ModelLayout/relationships``.
    public let index: Int
    /// The index of the entity of the related objects.
    public let destination: Int
    /// The index of the inverse in ``ModelLayout/relationships``.
    public let inverse: Int
    /// Whether the relationship can have more than one related object.
    public let isToMany: Bool
    /// Whether the related objects are ordered.
    public let isOrdered: Bool
    /// The minimum number of related objects of a saved object.
    public let minCount: Int
    /// The maximum number of related objects of a saved object; 0 means no limit.
    public let maxCount: Int
    /// The effect of a deletion of the owner on the related objects.
    public let deleteRule: DeleteRule
    /// The place where the relationship is stored.
    public let storage: Storage
}

/// A table of the links of one many-to-many relationship.
public struct LinkTableLayout: Hashable, Sendable {
    /// The index in ``ModelLayout/linkTables``.
    public let index: Int
    /// The index of the relationship whose owner's key is in the first column.
    public let first: Int
    /// The index of the relationship whose owner's key is in the second column.
    ///
    /// If the relationship is its own inverse, the value is the same as `first`.
    public let second: Int
    /// Whether the members of an object of the first side are ordered.
    public let isFirstOrdered: Bool
    /// Whether the members of an object of the second side are ordered.
    public let isSecondOrdered: Bool
}
