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

    /// Those of some tables, all with names of their own.
    static func all(_ tables: [SQLTable], _ naming: SQLNaming) -> [SQLIndex] {
        func name(_ table: SQLTable, _ columns: [Int]) -> String {
            ([table.name] + columns.map { table.columns[$0].name }).joined(separator: "_")
        }
        func plain(_ table: SQLTable) -> [[Int]] { table.indexes.filter { !table.uniqueConstraints.contains($0) } }
        let (length, uniqueLength) = (prefix.utf8.count, uniquePrefix.utf8.count)
        let names = naming.names(
            for: tables.flatMap { table in plain(table).map { name(table, $0) } }, reserved: length)
        let uniqueNames = naming.names(
            for: tables.flatMap { table in table.uniqueConstraints.map { name(table, $0) } }, reserved: uniqueLength
        )
        return tables.flatMap { table in
            table.uniqueConstraints.enumerated().map { number, columns in
                let original = name(table, columns)
                return SQLIndex(
                    name: uniquePrefix + (uniqueNames[original] ?? original), root: table.root, columns: columns,
                    constraint: number
                )
            }
                + plain(table).map { columns in
                    let original = name(table, columns)
                    return SQLIndex(
                        name: prefix + (names[original] ?? original), root: table.root, columns: columns,
                        constraint: nil
                    )
                }
        }
    }
}
