import CofferSQL
import CofferStorage
import CofferStorageTools

/// Loads rows and links into the tables of a new file, and then creates the indexes.
final class SQLiteLoader: StorageLoader {
    private let connection: SQLiteConnection
    private let schema: SQLiteSchema
    private let loading: SQLBulkStatements
    private let links: SQLMutations
    private let kinds: [[ColumnKind]]
    private var inserts: [SQLiteStatement?]
    /// By the index of a root entity.
    private var nextKeys: [Int: Int64] = [:]

    private var layout: ModelLayout { schema.schema.layout }

    init(_ schema: SQLiteSchema, _ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StorageError) {
        self.connection = connection
        self.schema = schema
        loading = SQLBulkStatements(schema.schema, SQLiteDialect())
        links = SQLMutations(schema.schema, SQLiteDialect())
        kinds = schema.schema.layout.entities.map(\.kinds)
        inserts = Array(repeating: nil, count: kinds.count)
        try schema.create(metadata, connection)
    }

    func add(_ rows: [Row]) throws(StorageError) {
        for row in rows {
            let insert = try insert(row)
            let kinds = kinds[row.entity]
            insert.bind(row.key, 1)
            for slot in kinds.indices { try insert.bind(row, slot, kinds[slot], Int32(slot + 2)) }
            insert.bind(row.version, Int32(kinds.count + 2))
            try insert.check(insert.perform())
        }
    }

    private func insert(_ row: Row) throws(StorageError) -> SQLiteStatement {
        if inserts.indices.contains(row.entity), let known = inserts[row.entity],
            kinds[row.entity].count == row.slotCount
        {
            return known
        }
        try layout.checkLoaded(row)
        let statement = try SQLiteStatement(loading.insert(entity: row.entity), on: connection)
        inserts[row.entity] = statement
        if schema.schema.tables[row.entity].hasEntityColumn {
            try statement.bind(layout.entities[row.entity].name, Int32(kinds[row.entity].count + 3))
        }
        return statement
    }

    func add(_ links: [ChangeSet.Link]) throws(StorageError) {
        for link in links {
            guard layout.linkTables.indices.contains(link.table) else { throw .noLinkTable(link.table) }
            let statement = try connection.statement(self.links.link(link.table))
            statement.bind(schema.schema.canonical(link, []), of: schema.schema.links[link.table])
            try statement.check(statement.perform())
        }
    }

    func continueKeys(at next: Int64, root: Int) throws(StorageError) { nextKeys[root] = next }

    /// Makes the indexes, which takes less time when the rows are there, notes the keys, and analyzes the large tables.
    func finish() throws(StorageError) {
        try schema.makeIndexes(connection.execute) { .uniqueViolation(loading: layout, root: $0, $1) }
        for root in layout.entities where root.root == root.index {
            let highest =
                try connection.text(
                    "SELECT MAX(\(SQLTable.key)) FROM \(SQLiteDialect().quoted(schema.schema.tables[root.index].name))"
                ).flatMap { Int64($0) } ?? 0
            let next = max(nextKeys[root.index] ?? 1, highest == .max ? .max : highest + 1)
            let set = try connection.statement("INSERT OR REPLACE INTO coffer_keys (root, next) VALUES (?, ?)")
            try set.bind(root.name, 1)
            set.bind(next, 2)
            try set.check(set.perform())
        }
        try SQLiteStatistics.limitAnalysis(connection)
        for name in schema.schema.roots.map({ schema.schema.tables[$0.index].name }) + schema.schema.links.map(\.name) {
            let table = SQLiteDialect().quoted(name)
            if try connection.text(SQLGrowth.probe(table)) != nil { try connection.execute("ANALYZE \(table)") }
        }
    }
}
