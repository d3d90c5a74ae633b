import CofferSQL
import CofferStorage
import CofferStorageTools

/// Loads rows and links into the tables of a new file, and then creates the indexes.
final class SQLiteLoader: StorageLoader {
    private let connection: SQLiteConnection
    private let schema: SQLiteSchema
    private var inserts: SQLiteInserts
    /// The next keys, by the index of a root entity.
    private var nextKeys: [Int: Int64] = [:]

    private var layout: ModelLayout { schema.schema.layout }

    init(_ schema: SQLiteSchema, _ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        self.schema = schema
        inserts = SQLiteInserts(schema.schema, connection)
        try schema.create(metadata, connection)
    }

    func add(_ rows: [Row]) throws(StorageError) {
        for row in rows {
            try layout.checkLoaded(row)
            try inserts.add(row)
        }
    }

    func add(_ links: [ChangeSet.Link]) throws(StorageError) {
        for link in links {
            guard layout.linkTables.indices.contains(link.table) else { throw .noLinkTable(link.table) }
            try inserts.add(schema.schema.canonical(link, []))
        }
    }

    func continueKeys(at next: Int64, root: Int) throws(StorageError) { nextKeys[root] = next }

    /// Creates the indexes, saves the next keys, and analyzes the large tables.
    ///
    /// Creating indexes takes less time after the rows were added.
    func finish() throws(StorageError) {
        try schema.makeIndexes(connection.execute) { .uniqueViolation(loading: layout, root: $0, $1) }
        for root in schema.schema.roots {
            let highest =
                try connection.text(
                    "SELECT MAX(\(SQLTable.key)) FROM \(SQLiteDialect().quoted(schema.schema.tables[root.index].name))"
                ).flatMap { Int64($0) } ?? 0
            let next = max(nextKeys[root.index] ?? 1, highest == .max ? .max : highest + 1)
            try connection.run(SQLiteSchema.savesKey, [.text(root.name), .integer(next)])
        }
        try SQLiteStatistics.limitAnalysis(connection)
        for name in schema.schema.rootTables.map(\.name) + schema.schema.links.map(\.name) {
            let table = SQLiteDialect().quoted(name)
            if try connection.text(SQLGrowth.probe(table)) != nil { try connection.execute("ANALYZE \(table)") }
        }
    }
}
