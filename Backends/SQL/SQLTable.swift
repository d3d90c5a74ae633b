public import CofferStorage

/// The table of one inheritance tree.
public struct SQLTable: Sendable {
    /// One column besides the key, the version and the entity.
    public struct Column: Sendable {
        public let name: String
        public let kind: ColumnKind
    }

    public static let key = "coffer_key"
    public static let version = "coffer_version"
    public static let entity = "coffer_entity"

    /// The index of the root entity.
    public let root: Int
    public let name: String
    /// Whether the rows say which entity they are of: only where the tree has more than one.
    public let hasEntityColumn: Bool
    public let columns: [Column]
    /// For each entity of the tree, the index in ``columns`` of each of its slots.
    public let columnsOfSlots: [Int: [Int]]
    /// Indexes in ``columns``, each list one index.
    public let indexes: [[Int]]
    /// Indexes in ``columns``, each list one unique constraint.
    public let uniqueConstraints: [[Int]]
}

/// The table of the links of one many-to-many relationship.
///
/// Which side is kept in which column depends on the names of the sides, not on their order in the model.
public struct SQLLinkTable: Sendable {
    public let name: String
    /// The columns with the keys of the layout's first and second side.
    public let first: String
    public let second: String
    /// The columns with the positions, where that side is ordered.
    public let firstPosition: String?
    public let secondPosition: String?
    /// Whether the relationship is its own inverse: a link leads both ways, and is kept once.
    public let isSymmetric: Bool
}
