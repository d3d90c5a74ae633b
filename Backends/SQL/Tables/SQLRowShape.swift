/// The result columns of a statement that returns rows, mapped to the slots of each entity.
///
/// The first columns are the key and the version. If ``hasEntity`` is true, the third column is the name of the entity.
public struct SQLRowShape: Sendable {
    /// An entity that a returned row may have.
    public struct Variant: Sendable {
        /// The index of the entity.
        public let entity: Int
        /// The name of the entity in the rows.
        public let name: String
        /// The column of each slot in the result, as an index.
        public let columns: [Int]

        package init(entity: Int, name: String, columns: [Int]) {
            self.entity = entity
            self.name = name
            self.columns = columns
        }
    }

    /// Whether the third column is the name of the row's entity.
    public let hasEntity: Bool
    /// The entities that a row may have.
    public let variants: [Variant]
    /// The names of the result's columns, unquoted.
    public let columnNames: [String]
}
