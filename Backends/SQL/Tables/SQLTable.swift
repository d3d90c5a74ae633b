public import CofferStorage

/// The table of one inheritance tree.
public struct SQLTable: Sendable {
    /// One column besides the key, the version and the entity.
    public struct Column: Sendable {
        /// The name, unquoted.
        public let name: String
        /// What the column holds.
        public let kind: ColumnKind
    }

    /// The name of the column with the primary key.
    public static let key = "coffer_key"
    /// The name of the column that counts the changes of a row.
    public static let version = "coffer_version"
    /// The name of the column with the name of the row's entity.
    public static let entity = "coffer_entity"

    /// The index of the root entity.
    public let root: Int
    /// The name, unquoted.
    public let name: String
    /// Whether the rows say which entity they are of: only where the tree has more than one.
    public let hasEntityColumn: Bool
    /// The columns of the whole tree, the root's first.
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
    static let prefix = "coffer_link_"

    /// The name, unquoted.
    public let name: String
    /// The column with the key of the layout's first side.
    public let first: String
    /// The column with the key of the layout's second side.
    public let second: String
    /// The column with the place of the second side's object among those of the first, where these are ordered.
    public let firstPosition: String?
    /// The column with the place of the first side's object among those of the second, where these are ordered.
    public let secondPosition: String?
    /// Whether the relationship is its own inverse: a link leads both ways, and is kept once.
    public let isSymmetric: Bool
}

extension SQLLinkTable {
    /// Whether the objects of one of the sides have places.
    public var isOrdered: Bool { firstPosition != nil || secondPosition != nil }

    /// The columns in which a link is read and written: first, second, then the positions of the ordered sides.
    public var columnNames: [String] { [first, second] + [firstPosition, secondPosition].compactMap(\.self) }

    /// A link as it was read.
    ///
    /// - Parameters:
    ///   - table: the index of the table.
    ///   - value: a number by its column in ``columnNames``; nil for null.
    public func link(_ table: Int, _ value: (Int) -> Int64?) -> ChangeSet.Link {
        ChangeSet.Link(
            table: table, first: value(0) ?? 0, second: value(1) ?? 0,
            firstPosition: firstPosition.flatMap { _ in value(2) },
            secondPosition: secondPosition.flatMap { _ in value(firstPosition == nil ? 2 : 3) })
    }
}
