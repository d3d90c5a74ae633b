import CofferSQL
import CofferStorage
import CofferStorageTools

/// Loads rows and links into new tables with `COPY`, and then creates the indexes.
final class PostgreSQLLoader: StorageLoader {
    private let connection: PostgreSQLConnection
    private let schema: PostgreSQLSchema
    private let dialect = PostgreSQLDialect()
    /// The next keys, by the index of a root entity.
    private var nextKeys: [Int: Int64] = [:]

    private var layout: ModelLayout { schema.schema.layout }

    init(
        _ schema: PostgreSQLSchema, _ metadata: StoreMetadata, _ connection: PostgreSQLConnection
    ) throws(StorageError) {
        self.connection = connection
        self.schema = schema
        try schema.create(metadata, connection)
    }

    func add(_ rows: [Row]) throws(StorageError) {
        var rest = rows[...]
        while let entity = rest.first?.entity {
            let run = rest.prefix { $0.entity == entity }
            for row in run { try layout.checkLoaded(row) }
            try PostgreSQLCopy(schema.schema, entity: entity).run(run, on: connection)
            rest = rest.dropFirst(run.count)
        }
    }

    func add(_ links: [ChangeSet.Link]) throws(StorageError) {
        var rest = links[...]
        while let table = rest.first?.table {
            guard layout.linkTables.indices.contains(table) else { throw .noLinkTable(table) }
            let run = rest.prefix { $0.table == table }
            let links = run.map { schema.schema.canonical($0, []) }
            try PostgreSQLCopy.run(links, into: table, of: schema.schema, on: connection)
            rest = rest.dropFirst(run.count)
        }
    }

    func continueKeys(at next: Int64, root: Int) throws(StorageError) { nextKeys[root] = next }

    /// Creates the indexes, and saves the next keys.
    ///
    /// Creating indexes takes less time after the rows were added.
    func finish() throws(StorageError) {
        try schema.makeIndexes { text throws(StorageError) in
            try connection.execute(text)
        } orThrow: { root, slots in
            .uniqueViolation(loading: layout, root: root, slots)
        }
        for root in schema.schema.roots {
            let table = dialect.quoted(schema.schema.tables[root.index].name)
            try connection.run(
                "INSERT INTO coffer_keys (root, next) SELECT $1, GREATEST($2, CASE WHEN MAX(\(SQLTable.key)) = "
                    + "\(Int64.max) THEN \(Int64.max) ELSE COALESCE(MAX(\(SQLTable.key)), 0) + 1 END) FROM \(table)",
                [.text(root.name), .integer(nextKeys[root.index] ?? 1)])
            // A new table has no statistics, and a request may come before the server analyzes the table by itself.
            try connection.execute("ANALYZE \(table)")
        }
        for link in schema.schema.links { try connection.execute("ANALYZE \(dialect.quoted(link.name))") }
    }
}
