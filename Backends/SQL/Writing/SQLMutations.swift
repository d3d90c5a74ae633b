package import CofferStorage

/// The statements that insert, update, delete, link and unlink rows.
///
/// The documentation of each method gives the order of the bound values.
public struct SQLMutations: Sendable {
    /// The tables.
    public let schema: SQLSchema
    /// The dialect of the database.
    public let dialect: any SQLDialect

    /// Creates the statements for some tables in a dialect.
    public init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        self.dialect = dialect
    }

    private var key: String { dialect.quoted(SQLTable.key) }
    private var version: String { dialect.quoted(SQLTable.version) }

    private func table(_ entity: Int) -> String { dialect.quoted(schema.tables[entity].name) }

    private func column(_ column: Int, of entity: Int) -> String {
        dialect.quoted(schema.tables[entity].columns[column].name)
    }

    /// Returns the statement that adds a row of version 1.
    ///
    /// The values are its key, its slots in order, and the entity's name if there is a column for it.
    public func insert(entity: Int) -> String {
        let table = schema.tables[entity]
        let slots = (table.columnsOfSlots[entity] ?? []).map { table.columns[$0].name }
        let names = [SQLTable.key] + slots + (table.hasEntityColumn ? [SQLTable.entity] : []) + [SQLTable.version]
        let places = (0..<(names.count - 1)).map(dialect.placeholder) + ["1"]
        return "INSERT INTO \(dialect.quoted(table.name)) (\(names.map(dialect.quoted).joined(separator: ", ")))"
            + " VALUES (\(places.joined(separator: ", ")))"
    }

    /// Returns the same statement, which adds nothing if another row has the same key or unique values.
    package func insertUnlessTaken(entity: Int) -> String { insert(entity: entity) + " ON CONFLICT DO NOTHING" }

    /// Returns the statement that changes some slots of a row.
    ///
    /// The values are the slots in order and the key. If the version is checked, the version that the row must have
    /// follows.
    public func update(entity: Int, slots: [Int], checksVersion: Bool) -> String {
        var parts = slots.enumerated().compactMap { index, slot in
            schema.column(slot, of: entity).map { "\(dialect.quoted($0.name)) = \(dialect.placeholder(index))" }
        }
        parts.append("\(version) = \(version) + 1")
        var text = "UPDATE \(table(entity)) SET \(parts.joined(separator: ", "))"
        text += " WHERE \(key) = \(dialect.placeholder(slots.count))"
        if checksVersion { text += " AND \(version) = \(dialect.placeholder(slots.count + 1))" }
        return text
    }

    /// Returns the statement that removes the row with a key.
    public func delete(entity: Int) -> String {
        "DELETE FROM \(table(entity)) WHERE \(key) = \(dialect.placeholder(0))"
    }

    /// Returns the statement for the keys of rows with some values, in the order of the constraint's columns.
    public func conflicting(entity: Int, constraint: Int) -> String {
        let conditions = schema.tables[entity].uniqueConstraints[constraint].enumerated().map { index, column in
            "\(self.column(column, of: entity)) = \(dialect.placeholder(index))"
        }
        return "SELECT \(key) FROM \(table(entity)) WHERE \(conditions.joined(separator: " AND "))"
    }

    /// Returns the statement for the keys of the rows whose reference is a key, which is bound.
    public func referring(entity: Int, column: Int) -> String {
        "SELECT \(key) FROM \(table(entity)) WHERE \(self.column(column, of: entity)) = \(dialect.placeholder(0))"
    }

    /// Returns the statement for the keys of rows with a one-to-one reference to a row that does not refer back.
    ///
    /// The value is the key of this row, bound twice.
    package func unanswered(_ pair: OneToOne) -> String? {
        let (owner, partner) = (pair.relationship.owner, pair.inverse.owner)
        guard let forth = schema.column(pair.slot, of: owner), let back = schema.column(pair.inverseSlot, of: partner)
        else { return nil }
        return "SELECT p.\(key) FROM \(table(partner)) p"
            + " WHERE p.\(dialect.quoted(back.name)) = \(dialect.placeholder(0))"
            + " AND NOT EXISTS (SELECT 1 FROM \(table(owner)) o"
            + " WHERE o.\(key) = \(dialect.placeholder(1)) AND o.\(dialect.quoted(forth.name)) = p.\(key))"
    }

    /// Returns the statement that sets a reference of a row to null; the value is the key of the row.
    ///
    /// - Parameter keys: the condition for the keys of several rows, after the name of the column.
    package func clear(_ slot: Int, of entity: Int, raisesVersion: Bool, keys: String? = nil) -> String {
        var text = "UPDATE \(table(entity)) SET \(dialect.quoted(schema.column(slot, of: entity)?.name ?? "")) = NULL"
        if raisesVersion { text += ", \(version) = \(version) + 1" }
        return text + " WHERE \(key) \(keys ?? "= \(dialect.placeholder(0))")"
    }

    /// Returns the statement that changes references to a row: the values are the new key and the old key.
    public func redirect(entity: Int, column: Int) -> String {
        let name = self.column(column, of: entity)
        return "UPDATE \(table(entity)) SET \(name) = \(dialect.placeholder(0))"
            + " WHERE \(name) = \(dialect.placeholder(1))"
    }

    /// Returns the statement that sets the reference of a row, and the row's place in the ordered inverse.
    ///
    /// The values are the new key, the place, and the key of the row.
    public func append(entity: Int, column: Int, positionColumn: Int) -> String {
        "UPDATE \(table(entity)) SET \(self.column(column, of: entity)) = \(dialect.placeholder(0)),"
            + " \(self.column(positionColumn, of: entity)) = \(dialect.placeholder(1))"
            + " WHERE \(key) = \(dialect.placeholder(2))"
    }

    /// Returns the statement that adds a link, or sets the places of an existing link.
    ///
    /// The values are the keys of first and second, and the places of the ordered sides.
    ///
    /// If a place is null, an existing link keeps its place.
    public func link(_ index: Int) -> String {
        let places = schema.links[index].columnNames.indices.map(dialect.placeholder)
        return link(index, from: "VALUES (\(places.joined(separator: ", ")))")
    }

    /// Returns the same statement for all links of an expression of the database, in the same order.
    public func link(_ index: Int, from links: String) -> String {
        let link = schema.links[index]
        let names = link.columnNames.map(dialect.quoted)
        let positions = names.dropFirst(2)
        var text = "INSERT INTO \(dialect.quoted(link.name)) (\(names.joined(separator: ", "))) \(links)"
        text += " ON CONFLICT (\(dialect.quoted("first")), \(dialect.quoted("second"))) DO "
        if positions.isEmpty { return text + "NOTHING" }
        let sets = positions.map { "\($0) = COALESCE(excluded.\($0), \(dialect.quoted(link.name)).\($0))" }
        return text + "UPDATE SET \(sets.joined(separator: ", "))"
    }

    /// Returns the statement that sets the places of an existing link.
    ///
    /// The values are the places of the ordered sides, and the keys of first and second.
    ///
    /// If a place is null, the link keeps its place. The statement exists only for tables with an ordered side.
    public func move(_ index: Int) -> String {
        let count = schema.links[index].columnNames.count - 2
        return move(
            index, to: (0..<count).map(dialect.placeholder),
            where: [dialect.placeholder(count), dialect.placeholder(count + 1)])
    }

    /// Returns the same statement with expressions of the database in place of values.
    ///
    /// - Parameter source: the part after `FROM`, if the expressions need it.
    public func move(_ index: Int, to places: [String], where keys: [String], from source: String? = nil) -> String {
        let link = schema.links[index]
        let names = link.columnNames.map(dialect.quoted)
        let table = dialect.quoted(link.name)
        let sets = zip(names.dropFirst(2), places).map { "\($0) = COALESCE(\($1), \(table).\($0))" }
        var text = "UPDATE \(table) SET \(sets.joined(separator: ", "))"
        if let source { text += " FROM \(source)" }
        return text + " WHERE \(table).\(names[0]) = \(keys[0]) AND \(table).\(names[1]) = \(keys[1])"
    }

    /// Returns the statement that removes a link: the values are the keys of first and second.
    public func unlink(_ index: Int) -> String {
        let link = schema.links[index]
        return
            "DELETE FROM \(dialect.quoted(link.name)) WHERE \(dialect.quoted(link.first)) = \(dialect.placeholder(0))"
            + " AND \(dialect.quoted(link.second)) = \(dialect.placeholder(1))"
    }

    /// Returns the statement that removes all links of one object: the value is the key of the object.
    public func unlinkAll(_ index: Int, isFirst: Bool) -> String {
        let link = schema.links[index]
        return "DELETE FROM \(dialect.quoted(link.name))"
            + " WHERE \(dialect.quoted(isFirst ? link.first : link.second)) = \(dialect.placeholder(0))"
    }
}
