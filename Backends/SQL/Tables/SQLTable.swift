public import CofferStorage

/// The table of one inheritance tree, with its columns, indexes and unique constraints.
public struct SQLTable: Sendable {
    /// A column other than the key, the version and the entity.
    public struct Column: Sendable {
        /// The name, unquoted.
        public let name: String
        /// The kind of the values.
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
    /// Whether the rows contain the name of their entity; true only if the tree has several entities.
    public let hasEntityColumn: Bool
    /// The columns of the whole tree, beginning with the columns of the root.
    public let columns: [Column]
    /// The index in ``columns`` of each slot, for each entity of the tree.
    public let columnsOfSlots: [Int: [Int]]
    /// The indexes, each as a list of indexes in ``columns``.
    public let indexes: [[Int]]
    /// The unique constraints, each as a list of indexes in ``columns``.
    public let uniqueConstraints: [[Int]]
}

extension SQLTable {
    /// Returns the columns of a kind.
    public func columns(of kind: ColumnKind) -> [Column] { columns.filter { $0.kind == kind } }

    /// Returns the columns of unique constraints that an update of a row changes, in ascending order.
    package func uniqueColumns(_ update: ChangeSet.Update) -> [Int] {
        guard !uniqueConstraints.isEmpty, let columns = columnsOfSlots[update.row.entity] else { return [] }
        return Set(uniqueConstraints.flatMap(\.self)).sorted().filter { column in
            columns.firstIndex(of: column).map(update.columns.contains) ?? false
        }
    }

    /// The names of all columns, including the columns that every table has.
    public var allColumnNames: [String] {
        [Self.key, Self.version] + (hasEntityColumn ? [Self.entity] : []) + columns.map(\.name)
    }
}
