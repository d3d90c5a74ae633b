import CofferStorage

/// An index or a unique constraint of a table, with its columns.
public struct SQLIndex: Sendable {
    /// The prefix of the names of indexes that are not unique.
    public static let prefix = "coffer_index_"
    /// The prefix of the names of unique constraints.
    public static let uniquePrefix = "coffer_unique_"

    /// The name, unquoted.
    public let name: String
    /// The index of the root entity of the table.
    public let root: Int
    /// The columns, as indexes in ``SQLTable/columns``.
    public let columns: [Int]
    /// The index of the constraint in ``SQLTable/uniqueConstraints``; nil for an index that is not unique.
    public let constraint: Int?

    /// Returns the indexes of some tables, each with a unique name.
    static func all(_ tables: [SQLTable], _ naming: SQLNaming) -> [SQLIndex] {
        func name(_ table: SQLTable, _ columns: [Int]) -> String {
            ([table.name] + columns.map { table.columns[$0].name }).joined(separator: "_")
        }
        func plain(_ table: SQLTable) -> [[Int]] { table.indexes.filter { !table.uniqueConstraints.contains($0) } }
        func indexes(_ prefix: String, _ lists: [[[Int]]], areUnique: Bool) -> [[SQLIndex]] {
            let originals = zip(tables, lists).map { table, lists in lists.map { name(table, $0) } }
            let names = naming.names(for: originals.joined(), reserved: prefix.utf8.count)
            return tables.indices.map { index in
                zip(originals[index], lists[index]).enumerated().map { number, list in
                    SQLIndex(
                        name: prefix + (names[list.0] ?? list.0), root: tables[index].root, columns: list.1,
                        constraint: areUnique ? number : nil)
                }
            }
        }
        let unique = indexes(uniquePrefix, tables.map(\.uniqueConstraints), areUnique: true)
        return zip(unique, indexes(prefix, tables.map(plain), areUnique: false)).flatMap { $0 + $1 }
    }
}
