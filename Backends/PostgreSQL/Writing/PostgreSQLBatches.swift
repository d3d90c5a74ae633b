import CofferSQL
import CofferStorage

/// The statements that change many rows or links at once, with one array of values for each column.
struct PostgreSQLBatches: Sendable {
    let schema: SQLSchema
    private let dialect = PostgreSQLDialect()

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    private func table(_ entity: Int) -> String { dialect.quoted(schema.tables[entity].name) }

    /// Adds rows of version 1: the keys, then the slots in order.
    ///
    /// What meets a unique value is left out; the keys of the others are returned where the table has constraints.
    ///
    /// - Parameter isAlone: whether there is one row, whose values are bound as they are.
    func insert(entity: Int, isAlone: Bool = false) -> String {
        let table = schema.tables[entity]
        let columns = (table.columnsOfSlots[entity] ?? []).map { table.columns[$0].name }
        let names = [SQLTable.key] + columns + [SQLTable.version] + (table.hasEntityColumn ? [SQLTable.entity] : [])
        let kinds = [.reference] + schema.layout.entities[entity].kinds
        let ending = ["1"] + (table.hasEntityColumn ? [dialect.placeholder(kinds.count)] : [])
        var text = "INSERT INTO \(dialect.quoted(table.name)) (\(names.map(dialect.quoted).joined(separator: ", ")))"
        if isAlone {
            text += " VALUES (\((kinds.indices.map(dialect.placeholder) + ending).joined(separator: ", ")))"
        } else {
            let places = kinds.indices.map { "\(dialect.placeholder($0))::\(kinds[$0].arrayTypeName)" }
            text += " SELECT \((kinds.indices.map { "u.c\($0)" } + ending).joined(separator: ", "))"
            text += " FROM unnest(\(places.joined(separator: ", ")))"
            text += " AS u(\(kinds.indices.map { "c\($0)" }.joined(separator: ", ")))"
        }
        guard !table.uniqueConstraints.isEmpty else { return text }
        return text + " ON CONFLICT DO NOTHING RETURNING \(dialect.quoted(SQLTable.key))"
    }

    /// Changes some slots: the keys, then the slots in order.
    ///
    /// Returns the keys that are there, with the new versions.
    func update(entity: Int, slots: [Int]) -> String {
        let kinds = schema.layout.entities[entity].kinds
        let (key, version) = (dialect.quoted(SQLTable.key), dialect.quoted(SQLTable.version))
        let places = ["$1::bigint[]"] + slots.enumerated().map { "$\($0 + 2)::\(kinds[$1].arrayTypeName)" }
        let sets = slots.enumerated().compactMap { index, slot in
            schema.column(slot, of: entity).map { "\(dialect.quoted($0.name)) = u.c\(index + 1)" }
        }
        return "UPDATE \(table(entity)) t SET \((sets + ["\(version) = t.\(version) + 1"]).joined(separator: ", "))"
            + " FROM unnest(\(places.joined(separator: ", ")))"
            + " AS u(\((0...slots.count).map { "c\($0)" }.joined(separator: ", ")))"
            + " WHERE t.\(key) = u.c0 RETURNING t.\(key), t.\(version)"
    }

    /// Makes rows give up the values of some columns: the keys.
    func clear(entity: Int, columns: [Int]) -> String {
        let names = columns.map { "\(dialect.quoted(schema.tables[entity].columns[$0].name)) = NULL" }
        return "UPDATE \(table(entity)) SET \(names.joined(separator: ", "))"
            + " WHERE \(dialect.quoted(SQLTable.key)) = ANY($1)"
    }

    /// Makes rows refer to one other row, and gives them places in the ordered inverse: the key of the other row, the keys,
    /// the places.
    func append(entity: Int, column: Int, positionColumn: Int) -> String {
        let names = [column, positionColumn].map { dialect.quoted(schema.tables[entity].columns[$0].name) }
        return "UPDATE \(table(entity)) t SET \(names[0]) = $1, \(names[1]) = u.c1"
            + " FROM unnest($2::bigint[], $3::bigint[]) AS u(c0, c1) WHERE t.\(dialect.quoted(SQLTable.key)) = u.c0"
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
        let columns = schema.links[index].columnNames.indices
        let places = columns.map { "\(dialect.placeholder($0))::bigint[]" }.joined(separator: ", ")
        let names = columns.map { "c\($0)" }
        return SQLMutations(schema, dialect).move(
            index, to: names.dropFirst(2).map { "u.\($0)" }, where: ["u.c0", "u.c1"],
            from: "unnest(\(places)) AS u(\(names.joined(separator: ", ")))")
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
                var parameters = PostgreSQLParameters()
                parameters.append(keys: some.map(\.first))
                parameters.append(keys: some.map(\.second))
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
