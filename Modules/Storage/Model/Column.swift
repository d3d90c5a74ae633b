/// A column of an entity: the name, kind, default value and role of a slot in the rows.
public struct Column: Hashable, Sendable {
    /// The content of a column.
    public enum Role: Hashable, Sendable {
        /// The value of an attribute.
        case attribute(AttributeType)
        /// The key of the object in a to-one relationship.
        case reference
        /// The place of the row in the ordered inverse of a to-one relationship.
        case position(relationship: String)
    }

    /// The property's name; for a place, the relationship's name, followed by ` position`.
    public let name: String
    /// The content of the column.
    public let role: Role
    /// The kind of the values in the slot.
    public let kind: ColumnKind
    /// Whether the slot may be null.
    public let isOptional: Bool
    /// The value in new rows, if the program does not set one.
    public let defaultValue: Value
    /// The index of the entity that declares the column.
    public let owner: Int
}
