// Types with names that database packages use. A program that imports Coffer and such a package names them without
// qualification.

/// A row of an SQL result, as in GRDB.
public struct Row: Sendable {
    public var values: [String: Int]

    public init(_ values: [String: Int]) {
        self.values = values
    }
}

/// A column of a table, as in GRDB.
public struct Column: Sendable {
    public var name: String

    public init(_ name: String) {
        self.name = name
    }
}

/// A set of columns.
public struct ColumnSet: Sendable {
    public var columns: [Column]

    public init(_ columns: [Column]) {
        self.columns = columns
    }
}
