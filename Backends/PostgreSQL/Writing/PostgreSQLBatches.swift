import CofferSQL
import CofferStorage

/// The statements that change many rows or links at once, with one array of values for each column.
struct PostgreSQLBatches: Sendable {
    let schema: SQLSchema
    let dialect = PostgreSQLDialect()

    private func table(_ entity: Int) -> String { dialect.quoted(schema.tables[entity].name) }

    /// The bound arrays as a table `u`, whose columns are `c0` and so on.
    private func lists(_ types: [String]) -> String {
        let places = types.enumerated().map { "\(dialect.placeholder($0))::\($1)" }
        let names = types.indices.map { "c\($0)" }
        return "unnest(\(places.joined(separator: ", "))) AS u(\(names.joined(separator: ", ")))"
    }

    /// Adds rows of version 1: the keys, then the slots in order.
    ///
    /// A row whose unique values are taken is left out; if the table has constraints, the keys of the others are returned.
    ///
    /// - Parameter isAlone: whether there is one row, whose values are bound as they are.
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

    /// Changes some slots: the keys, then the slots in order.
    ///
    /// Returns the keys that are there, with the new versions.
    func update(entity: Int, slots: [Int]) -> String {
        update(entity: entity, slots: slots, increment: nil)
            + " RETURNING t.\(dialect.quoted(SQLTable.key)), t.\(dialect.quoted(SQLTable.version))"
    }

    /// Changes some slots, and adds to the versions: the keys, the slots in order, then the increments.
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

    /// Makes rows give up the values of some columns: the keys.
    func clear(entity: Int, columns: [Int]) -> String {
        let names = columns.map { "\(dialect.quoted(schema.tables[entity].columns[$0].name)) = NULL" }
        return "UPDATE \(table(entity)) SET \(names.joined(separator: ", "))"
            + " WHERE \(dialect.quoted(SQLTable.key)) = ANY($1)"
    }

    /// Finds the rows with the unique values of new rows: the numbers of the new rows, then the values of the constraint.
    ///
    /// Returns the rows, each with the number of the new row.
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

    /// Redirects references: the old keys, the new keys; returns the keys of the rows that had the references.
    func redirect(_ reference: SQLSchema.Reference) -> String {
        let name = dialect.quoted(schema.tables[reference.entity].columns[reference.column].name)
        return "UPDATE \(table(reference.entity)) t SET \(name) = u.c1"
            + " FROM unnest($1::bigint[], $2::bigint[]) AS u(c0, c1) WHERE t.\(name) = u.c0"
            + " RETURNING t.\(dialect.quoted(SQLTable.key))"
    }

    /// Makes rows refer to other rows, and gives them places in the ordered inverse: the keys, the keys of the other rows,
    /// the places.
    func append(_ reference: SQLSchema.Reference, positionColumn: Int) -> String {
        let columns = schema.tables[reference.entity].columns
        let names = [reference.column, positionColumn].map { dialect.quoted(columns[$0].name) }
        return "UPDATE \(table(reference.entity)) t SET \(names[0]) = u.c1, \(names[1]) = u.c2"
            + " FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS u(c0, c1, c2)"
            + " WHERE t.\(dialect.quoted(SQLTable.key)) = u.c0"
    }

    /// Finds the rows that refer to some rows by a one-to-one relationship, and to which these do not refer: the keys.
    ///
    /// The rows that are found are locked until the transaction ends.
    func unanswered(_ pair: OneToOne) -> String? {
        let (owner, partner) = (pair.relationship.owner, pair.inverse.owner)
        guard let forth = schema.column(pair.slot, of: owner), let back = schema.column(pair.inverseSlot, of: partner)
        else { return nil }
        let (key, name) = (dialect.quoted(SQLTable.key), dialect.quoted(back.name))
        return "SELECT p.\(key) FROM \(table(partner)) p WHERE p.\(name) = ANY($1)"
            + " AND NOT EXISTS (SELECT 1 FROM \(table(owner)) o WHERE o.\(key) = p.\(name)"
            + " AND o.\(dialect.quoted(forth.name)) = p.\(key)) ORDER BY p.\(key) FOR UPDATE OF p"
    }

    /// Keeps others from writing rows: the keys.
    func lock(entity: Int) -> String {
        let key = dialect.quoted(SQLTable.key)
        return "SELECT \(key) FROM \(table(entity)) WHERE \(key) = ANY($1) ORDER BY \(key) FOR UPDATE"
    }

    /// Removes rows: the keys.
    func delete(entity: Int) -> String {
        "DELETE FROM \(table(entity)) WHERE \(dialect.quoted(SQLTable.key)) = ANY($1)"
    }

    /// Removes all links of some objects: their keys.
    func unlinkAll(_ index: Int, isFirst: Bool) -> String {
        let link = schema.links[index]
        return "DELETE FROM \(dialect.quoted(link.name))"
            + " WHERE \(dialect.quoted(isFirst ? link.first : link.second)) = ANY($1)"
    }

    /// Removes links: the firsts, the seconds.
    func unlink(_ index: Int) -> String {
        let link = schema.links[index]
        return "DELETE FROM \(dialect.quoted(link.name)) t USING unnest($1::bigint[], $2::bigint[]) AS u(a, b)"
            + " WHERE t.\(dialect.quoted(link.first)) = u.a AND t.\(dialect.quoted(link.second)) = u.b"
    }

    /// Adds links or sets their positions: the firsts, the seconds, then the positions of the ordered sides.
    ///
    /// A null position leaves the one that is there.
    func link(_ index: Int) -> String {
        let places = schema.links[index].columnNames.indices.map { "\(dialect.placeholder($0))::bigint[]" }
        return SQLMutations(schema, dialect).link(
            index, from: "SELECT * FROM unnest(\(places.joined(separator: ", ")))")
    }

    /// Sets the positions of links that exist: as ``link(_:)``.
    func move(_ index: Int) -> String {
        let count = schema.links[index].columnNames.count
        return SQLMutations(schema, dialect).move(
            index, to: (2..<count).map { "u.c\($0)" }, where: ["u.c0", "u.c1"],
            from: lists(Array(repeating: "bigint[]", count: count)))
    }

    /// Adds links, or sets their positions.
    func add(_ links: [ChangeSet.Link], on connection: PostgreSQLConnection) throws(StorageError) {
        try run(link, links, on: connection)
    }

    /// Sets the positions of those of the links that exist.
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

    /// Each link once, with the last positions that are given for it: a statement may not meet a row twice.
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
