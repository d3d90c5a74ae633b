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

extension SQLTable {
    /// The columns of a kind.
    public func columns(of kind: ColumnKind) -> [Column] { columns.filter { $0.kind == kind } }

    /// The names of all columns, also of those that every table has.
    public var allColumnNames: [String] {
        [Self.key, Self.version] + (hasEntityColumn ? [Self.entity] : []) + columns.map(\.name)
    }
}
