public import CofferStorage

/// Counts the rows that large commits add to tables, and names the tables whose statistics may have become useless.
///
/// A database plans by the sizes of tables and by the number of their different values. After a bulk insert, it may
/// still plan for an empty table.
public struct SQLGrowth: Sendable {
    /// A table that has grown.
    public struct Table: Sendable {
        /// The name of the table, unquoted.
        public let name: String
        /// The number of rows that large commits have added since the store was opened.
        public let added: Int
    }

    /// The minimum number of inserted rows and links in a large commit.
    public static let minimum = 1_000
    /// The factor by which a table grows until its statistics are too old.
    public static let factor = 10

    private var added: [String: Int] = [:]
    private var next: [String: Int] = [:]

    /// Creates the count of an open store.
    public init() {}

    /// Returns a statement that returns a row if a table is large enough to be analyzed.
    ///
    /// - Parameter table: the quoted name of the table.
    package static func probe(_ table: String) -> String { "SELECT '1' FROM \(table) LIMIT 1 OFFSET \(minimum - 1)" }

    /// Counts the rows of a commit.
    ///
    /// - Returns: the tables whose statistics should be compared with their sizes. A growing table is returned again
    ///   each time that it has ten times as many rows.
    public mutating func add(_ changes: ChangeSet, to schema: SQLSchema) -> [Table] {
        guard changes.inserts.count + changes.links.count >= Self.minimum else { return [] }
        var counts: [String: Int] = [:]
        for insert in changes.inserts { counts[schema.tables[insert.row.entity].name, default: 0] += 1 }
        for link in changes.links { counts[schema.links[link.table].name, default: 0] += 1 }
        var grown: [Table] = []
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            let total = added[name, default: 0] + count
            added[name] = total
            guard total >= next[name] ?? Self.minimum else { continue }
            next[name] = total * Self.factor
            grown.append(Table(name: name, added: total))
        }
        return grown
    }
}
