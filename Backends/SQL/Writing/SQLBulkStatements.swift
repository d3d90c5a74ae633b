import CofferStorage

/// The statements that read and write whole stores.
///
/// Their values are bound in the order the comments say.
public struct SQLBulkStatements: Sendable {
    /// The tables.
    public let schema: SQLSchema
    /// What is peculiar to the database.
    public let dialect: any SQLDialect

    /// The statements for some tables in a dialect.
    public init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
    }

    /// The columns of a row as it is: its key, its slots in order, the version, then the entity's name where there is a
    /// column for it.
    public func columns(entity: Int) -> [String] {
        let table = schema.tables[entity]
        let slots = (table.columnsOfSlots[entity] ?? []).map { table.columns[$0].name }
        return [SQLTable.key] + slots + [SQLTable.version] + (table.hasEntityColumn ? [SQLTable.entity] : [])
    }

    /// Adds a row as it is: ``columns(entity:)``.
    public func insert(entity: Int) -> String {
        let names = columns(entity: entity)
        return "INSERT INTO \(dialect.quoted(schema.tables[entity].name)) (\(list(names)))"
            + " VALUES (\(names.indices.map(dialect.placeholder).joined(separator: ", ")))"
    }

    /// Some links in the order of their keys, ``SQLLinkTable/columnNames``: after those of a first and a second key,
    /// unless it is the first page.
    public func links(_ index: Int, isFirstPage: Bool, limit: Int) -> String {
        let link = schema.links[index]
        let keys = list([link.first, link.second])
        var text = "SELECT \(list(link.columnNames)) FROM \(dialect.quoted(link.name))"
        if !isFirstPage { text += " WHERE (\(keys)) > (\(dialect.placeholder(0)), \(dialect.placeholder(1)))" }
        return text + " ORDER BY \(keys) LIMIT \(max(0, limit))"
    }

    private func list(_ names: [String]) -> String { names.map(dialect.quoted).joined(separator: ", ") }
}
