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
    public let role: Role
    public let kind: ColumnKind
    public let isOptional: Bool
    public let defaultValue: Value
    /// The index of the entity that declares the column.
    public let owner: Int
}
