/// One relationship with everything about it looked up: where it is kept and what is at the other end.
public struct RelationshipLayout: Hashable, Sendable {
    /// Where the links of a relationship are kept.
    public enum Storage: Hashable, Sendable {
        /// To-one: a slot of the entity's own rows, and the slot of its place in the ordered inverse.
        case reference(slot: Int, positionSlot: Int?)
        /// One-to-many: the slot in the *destination's* rows that refers back, and the slot of their order.
        case inverse(slot: Int, positionSlot: Int?)
        /// Many-to-many: a table of links. `isFirst` says which of its two columns is this side's key.
        case links(table: Int, isFirst: Bool)
    }

    /// The relationship's name.
    public let name: String
    /// The index of the entity that declares the relationship.
    public let owner: Int
    /// The index of the relationship in ``ModelLayout/relationships``.
    public let index: Int
    /// The index of the entity at the other end.
    public let destination: Int
    /// The index of the inverse in ``ModelLayout/relationships``.
    public let inverse: Int
    /// Whether it may lead to more than one object.
    public let isToMany: Bool
    /// Whether the related objects keep an order.
    public let isOrdered: Bool
    /// The fewest related objects a saved object may have.
    public let minCount: Int
    /// The most related objects a saved object may have; 0 is no limit.
    public let maxCount: Int
    /// What happens at the other end when an object at this end is deleted.
    public let deleteRule: DeleteRule
    /// Where the links are kept.
    public let storage: Storage
}

/// A table of the links of one many-to-many relationship.
public struct LinkTableLayout: Hashable, Sendable {
    /// The index in ``ModelLayout/linkTables``.
    public let index: Int
    /// The side whose keys are in the first column.
    public let first: Int
    /// The side whose keys are in the second column.
    ///
    /// The same as `first` for a relationship that is its own inverse.
    public let second: Int
    /// Whether the objects that one object of the first side is linked to keep an order.
    public let isFirstOrdered: Bool
    /// Whether the objects that one object of the second side is linked to keep an order.
    public let isSecondOrdered: Bool
}
