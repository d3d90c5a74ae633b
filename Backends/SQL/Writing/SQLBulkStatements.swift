import CofferStorage

/// The statements that load and copy whole stores: inserts of rows and pages of links.
///
/// The documentation of each method gives the order of the bound values.
public struct SQLBulkStatements: Sendable {
    /// The tables.
    public let schema: SQLSchema
    /// The dialect of the database.
    public let dialect: any SQLDialect

    /// Creates the statements for some tables in a dialect.
    public init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
    }

    /// Returns the columns of a row: its key, its slots in order, and the version.
    ///
    /// The entity's name follows if there is a column for it.
    public func columns(entity: Int) -> [String] {
        let table = schema.tables[entity]
        let slots = (table.columnsOfSlots[entity] ?? []).map { table.columns[$0].name }
        return [SQLTable.key] + slots + [SQLTable.version] + (table.hasEntityColumn ? [SQLTable.entity] : [])
    }

    /// Returns the statement that adds a row with the columns of ``columns(entity:)``.
    public func insert(entity: Int) -> String {
        let names = columns(entity: entity)
        return "INSERT INTO \(dialect.quoted(schema.tables[entity].name)) (\(list(names)))"
            + " VALUES (\(names.indices.map(dialect.placeholder).joined(separator: ", ")))"
    }

    /// Returns the statement for a page of links, in the order of their keys, with ``SQLLinkTable/columnNames``.
    ///
    /// Except on the first page, two keys are bound, and the page begins after the link with these keys.
    public func links(_ index: Int, isFirstPage: Bool, limit: Int) -> String {
        let link = schema.links[index]
        let keys = list([link.first, link.second])
        var text = "SELECT \(list(link.columnNames)) FROM \(dialect.quoted(link.name))"
        if !isFirstPage { text += " WHERE (\(keys)) > (\(dialect.placeholder(0)), \(dialect.placeholder(1)))" }
        return text + " ORDER BY \(keys) LIMIT \(max(0, limit))"
    }

    private func list(_ names: [String]) -> String { names.map(dialect.quoted).joined(separator: ", ") }
}
