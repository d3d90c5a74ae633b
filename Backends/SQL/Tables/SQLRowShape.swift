/// The columns of a statement that returns rows, and where each slot of each possible entity is among them.
///
/// The first columns are the key, the version and, where ``hasEntity`` says so, the name of the entity.
public struct SQLRowShape: Sendable {
    /// One entity that a returned row may be of.
    public struct Variant: Sendable {
        /// The index of the entity.
        public let entity: Int
        /// The name of the entity, as the rows give it.
        public let name: String
        /// The index in the result of each slot.
        public let columns: [Int]
    }

    /// Whether the third column is the name of the row's entity.
    public let hasEntity: Bool
    /// The entities that a row may be of.
    public let variants: [Variant]
    /// The names of the result's columns, unquoted.
    public let columnNames: [String]
}
