import CofferSQL
import CofferStorage

/// The statements that change many rows or links at once, with one array of values for each column.
struct PostgreSQLBatches: Sendable {
    let schema: SQLSchema
    let dialect = PostgreSQLDialect()

    private func table(_ entity: Int) -> String { dialect.quoted(schema.tables[entity].name) }

    /// Returns the bound arrays as a table `u`, whose columns are `c0` and so on.
    private func lists(_ types: [String]) -> String {
        let places = types.enumerated().map { "\(dialect.placeholder($0))::\($1)" }
        let names = types.indices.map { "c\($0)" }
        return "unnest(\(places.joined(separator: ", "))) AS u(\(names.joined(separator: ", ")))"
    }

    /// Returns the statement that adds rows of version 1; the values are the keys, and then the slots in order.
    ///
    /// A row whose unique values are taken is left out. If the table has constraints, the statement returns the keys
    /// of the added rows.
    ///
    /// - Parameter isAlone: whether there is one row, whose values are bound without arrays.
    func insert(entity: Int, isAlone: Bool = false) -> String {
        let table = schema.tables[entity]
        let names = SQLBulkStatements(schema, dialect).columns(entity: entity)
        let kinds = [.reference] + schema.layout.entities[entity].kinds
        let ending = ["1"] + (table.hasEntityColumn ? [dialect.placeholder(kinds.count)] : [])
        var text = "INSERT INTO \(dialect.quoted(table.name)) (\(names.map(dialect.quoted).joined(separator: ", ")))"
        if isAlone {
            text += " VALUES (\((kinds.indices.map(dialect.placeholder) + ending).joined(separator: ", ")))"
        } else {
            text += " SELECT \((kinds.indices.map { "u.c\($0)" } + ending).joined(separator: ", "))"
            text += " FROM \(lists(kinds.map(\.arrayTypeName)))"
        }
        guard !table.uniqueConstraints.isEmpty else { return text }
        return text + " ON CONFLICT DO NOTHING RETURNING \(dialect.quoted(SQLTable.key))"
    }

    /// Returns the statement that changes some slots; the values are the keys, and then the slots in order.
    ///
    /// The statement returns the keys of the existing rows, with their new versions.
    func update(entity: Int, slots: [Int]) -> String {
        update(entity: entity, slots: slots, increment: nil)
            + " RETURNING t.\(dialect.quoted(SQLTable.key)), t.\(dialect.quoted(SQLTable.version))"
    }

    /// Returns the statement that changes some slots, and adds increments to the versions.
    ///
    /// The values are the keys, the slots in order, and then the increments.
    func merge(entity: Int, slots: [Int]) -> String {
        update(entity: entity, slots: slots, increment: slots.count + 1)
    }

    /// - Parameter increment: the number of the column of increments; nil if all versions rise by 1.
    private func update(entity: Int, slots: [Int], increment: Int?) -> String {
        let kinds = schema.layout.entities[entity].kinds
        let (key, version) = (dialect.quoted(SQLTable.key), dialect.quoted(SQLTable.version))
        let types = ["bigint[]"] + slots.map { kinds[$0].arrayTypeName } + (increment == nil ? [] : ["bigint[]"])
        var sets = slots.enumerated().compactMap { index, slot in
            schema.column(slot, of: entity).map { "\(dialect.quoted($0.name)) = u.c\(index + 1)" }
        }
        sets.append("\(version) = t.\(version) + \(increment.map { "u.c\($0)" } ?? "1")")
        return "UPDATE \(table(entity)) t SET \(sets.joined(separator: ", "))"
            + " FROM \(lists(types)) WHERE t.\(key) = u.c0"
    }

    /// Returns the statement that clears some columns of rows; the value is an array of the keys.
    func clear(entity: Int, columns: [Int]) -> String {
        let names = columns.map { "\(dialect.quoted(schema.tables[entity].columns[$0].name)) = NULL" }
        return "UPDATE \(table(entity)) SET \(names.joined(separator: ", "))"
            + " WHERE \(dialect.quoted(SQLTable.key)) = ANY($1)"
    }

    /// Returns the statement that finds the rows with the unique values of new rows.
    ///
    /// The values are the numbers of the new rows, and then the values of the constraint. The statement returns the
    /// rows, each with the number of the new row.
    ///
    /// - Parameter locks: whether the rows are locked until the transaction ends.
    func holders(entity: Int, constraint: Int, locks: Bool) -> String {
        let layout = schema.layout.entities[entity]
        let kinds = layout.uniqueConstraints[constraint].map { layout.kinds[$0] }
        let text = SQLQueries(schema, dialect).holders(
            root: layout.root, constraint: constraint, in: lists(["bigint[]"] + kinds.map(\.arrayTypeName)),
            label: "u.c0",
            values: kinds.indices.map { "u.c\($0 + 1)" })
        return locks ? text + " ORDER BY t0.\(dialect.quoted(SQLTable.key)) FOR UPDATE OF t0" : text
    }

    /// Returns the statement that redirects references; the values are the old keys and the new keys.
    ///
    /// The statement returns the keys of the rows that had the references.
    func redirect(_ reference: SQLSchema.Reference) -> String {
        let name = dialect.quoted(schema.tables[reference.entity].columns[reference.column].name)
        return "UPDATE \(table(reference.entity)) t SET \(name) = u.c1"
            + " FROM unnest($1::bigint[], $2::bigint[]) AS u(c0, c1) WHERE t.\(name) = u.c0"
            + " RETURNING t.\(dialect.quoted(SQLTable.key))"
    }

    /// Returns the statement that makes rows refer to other rows, with places in the ordered inverse.
    ///
    /// The values are the keys, the keys of the other rows, and the places.
    func append(_ reference: SQLSchema.Reference, positionColumn: Int) -> String {
        let columns = schema.tables[reference.entity].columns
        let names = [reference.column, positionColumn].map { dialect.quoted(columns[$0].name) }
        return "UPDATE \(table(reference.entity)) t SET \(names[0]) = u.c1, \(names[1]) = u.c2"
            + " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(c0, c1, c2)"
            + " WHERE t.\(dialect.quoted(SQLTable.key)) = u.c0"
    }

    /// Returns the statement that finds rows with a one-to-one reference to rows that do not refer back.
    ///
    /// The value is an array of the keys of the rows that do not refer back. The statement locks the found rows until the transaction
    /// ends.
    func unanswered(_ pair: OneToOne) -> String? {
        let (owner, partner) = (pair.relationship.owner, pair.inverse.owner)
        guard let forth = schema.column(pair.slot, of: owner), let back = schema.column(pair.inverseSlot, of: partner)
        else { return nil }
        let (key, name) = (dialect.quoted(SQLTable.key), dialect.quoted(back.name))
        return "SELECT p.\(key) FROM \(table(partner)) p WHERE p.\(name) = ANY($1)"
            + " AND NOT EXISTS (SELECT 1 FROM \(table(owner)) o WHERE o.\(key) = p.\(name)"
            + " AND o.\(dialect.quoted(forth.name)) = p.\(key)) ORDER BY p.\(key) FOR UPDATE OF p"
    }

    /// Returns the statement that locks rows against other writers; the value is an array of the keys.
    func lock(entity: Int) -> String {
        let key = dialect.quoted(SQLTable.key)
        return "SELECT \(key) FROM \(table(entity)) WHERE \(key) = ANY($1) ORDER BY \(key) FOR UPDATE"
    }

    /// Returns the statement that removes rows; the value is an array of the keys.
    func delete(entity: Int) -> String {
        "DELETE FROM \(table(entity)) WHERE \(dialect.quoted(SQLTable.key)) = ANY($1)"
    }

    /// Returns the statement that removes all links of some objects; the value is an array of their keys.
    func unlinkAll(_ index: Int, isFirst: Bool) -> String {
        let link = schema.links[index]
        return "DELETE FROM \(dialect.quoted(link.name))"
            + " WHERE \(dialect.quoted(isFirst ? link.first : link.second)) = ANY($1)"
    }

    /// Returns the statement that removes links; the values are the keys of first and second.
    func unlink(_ index: Int) -> String {
        let link = schema.links[index]
        return "DELETE FROM \(dialect.quoted(link.name)) t USING unnest($1::bigint[], $2::bigint[]) AS u(a, b)"
            + " WHERE t.\(dialect.quoted(link.first)) = u.a AND t.\(dialect.quoted(link.second)) = u.b"
    }

    /// Returns the statement that adds links, or sets the places of existing links.
    ///
    /// The values are the keys of first and second, and then the places of the ordered sides. If a place is null, an
    /// existing link keeps its place.
    func link(_ index: Int) -> String {
        let places = schema.links[index].columnNames.indices.map { "\(dialect.placeholder($0))::bigint[]" }
        return SQLMutations(schema, dialect).link(
            index, from: "SELECT * FROM unnest(\(places.joined(separator: ", ")))")
    }

    /// Returns the statement that sets the places of existing links; the values are those of ``link(_:)``.
    func move(_ index: Int) -> String {
        let count = schema.links[index].columnNames.count
        return SQLMutations(schema, dialect).move(
            index, to: (2..<count).map { "u.c\($0)" }, where: ["u.c0", "u.c1"],
            from: lists(Array(repeating: "bigint[]", count: count)))
    }

    /// Adds links, or sets the places of existing links.
    func add(_ links: [ChangeSet.Link], on connection: PostgreSQLConnection) throws(StorageError) {
        try run(link, links, on: connection)
    }

    /// Sets the places of existing links.
    func move(_ links: [ChangeSet.Link], on connection: PostgreSQLConnection) throws(StorageError) {
        try run(move, links.filter { schema.links[$0.table].isOrdered }, on: connection)
    }

    private func run(
        _ text: (_ table: Int) -> String, _ links: [ChangeSet.Link], on connection: PostgreSQLConnection
    ) throws(StorageError) {
        for (table, links) in links.grouped(by: \.table) {
            let link = schema.links[table]
            var rest = joined(links)[...]
            while !rest.isEmpty {
                let some = rest.prefix(PostgreSQLWriter.batchSize)
                rest = rest.dropFirst(some.count)
                var parameters = PostgreSQLParameters(keys: some.map(\.first), some.map(\.second))
                if link.firstPosition != nil { parameters.append(positions: some.map(\.firstPosition)) }
                if link.secondPosition != nil { parameters.append(positions: some.map(\.secondPosition)) }
                _ = try connection.query(text(table), parameters)
            }
        }
    }

    /// Returns each link once, with the last places for it, because a statement may not change a row twice.
    private func joined(_ links: [ChangeSet.Link]) -> [ChangeSet.Link] {
        struct Ends: Hashable {
            let first: Int64
            let second: Int64
        }
        var places: [Ends: Int] = [:]
        var joined: [ChangeSet.Link] = []
        for link in links {
            let ends = Ends(first: link.first, second: link.second)
            guard let place = places[ends] else {
                places[ends] = joined.count
                joined.append(link)
                continue
            }
            joined[place].firstPosition = link.firstPosition ?? joined[place].firstPosition
            joined[place].secondPosition = link.secondPosition ?? joined[place].secondPosition
        }
        return joined
    }
}

extension ColumnKind {
    var arrayTypeName: String { self == .text ? "text[]" : "\(typeName)[]" }
}
