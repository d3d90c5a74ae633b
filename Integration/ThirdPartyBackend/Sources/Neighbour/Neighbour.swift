// Types with names that are common in database packages. A program that imports Coffer and such a package uses these
// names without qualification.

/// A row of an SQL result, as in GRDB.
public struct Row: Sendable {
    /// The values, by column.
    public var values: [String: Int]

    /// A row with values.
    public init(_ values: [String: Int]) {
        self.values = values
    }
}

/// A column of a table, as in GRDB.
public struct Column: Sendable {
    /// The name.
    public var name: String

    /// A column with a name.
    public init(_ name: String) {
        self.name = name
    }
}

/// A set of columns.
public struct ColumnSet: Sendable {
    /// The columns.
    public var columns: [Column]

    /// A set of columns.
    public init(_ columns: [Column]) {
        self.columns = columns
    }
}
