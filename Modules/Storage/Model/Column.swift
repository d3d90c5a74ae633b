/// One slot of an entity's rows.
public struct Column: Hashable, Sendable {
    /// What a column is for.
    public enum Role: Hashable, Sendable {
        /// The value of an attribute.
        case attribute(AttributeType)
        /// The key of the object a to-one relationship leads to.
        case reference
        /// The place among its siblings that the row has in the ordered inverse of a to-one relationship.
        case position(relationship: String)
    }

    /// The property's name; for a position, the relationship's name and ` position`.
    public let name: String
    /// What the column is for.
    public let role: Role
    /// What the slot holds.
    public let kind: ColumnKind
    /// Whether the slot may be null.
    public let isOptional: Bool
    /// The value in new rows, where the program does not give one.
    public let defaultValue: Value
    /// The index of the entity that declares the column.
    public let owner: Int
}
