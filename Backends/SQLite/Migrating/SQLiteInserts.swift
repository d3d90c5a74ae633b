import CofferSQL
import CofferStorage

/// Adds rows with their versions, and links, to the tables of a store that is loaded or migrated.
struct SQLiteInserts {
    private let connection: SQLiteConnection
    private let schema: SQLSchema
    private let kinds: [[ColumnKind]]
    /// The statements, by the index of an entity.
    private var statements: [SQLiteStatement?]

    init(_ schema: SQLSchema, _ connection: SQLiteConnection) {
        self.connection = connection
        self.schema = schema
        kinds = schema.layout.entities.map(\.kinds)
        statements = Array(repeating: nil, count: kinds.count)
    }

    mutating func add(_ row: Row) throws(StorageError) {
        let insert = try statement(row.entity)
        let kinds = kinds[row.entity]
        insert.bind(row.key, 1)
        for slot in kinds.indices { try insert.bind(row, slot, kinds[slot], Int32(slot + 2)) }
        insert.bind(row.version, Int32(kinds.count + 2))
        try insert.check(insert.perform())
    }

    private mutating func statement(_ entity: Int) throws(StorageError) -> SQLiteStatement {
        if let known = statements[entity] { return known }
        let text = SQLBulkStatements(schema, SQLiteDialect()).insert(entity: entity)
        let statement = try SQLiteStatement(text, on: connection)
        statements[entity] = statement
        if schema.tables[entity].hasEntityColumn {
            try statement.bind(schema.layout.entities[entity].name, Int32(kinds[entity].count + 3))
        }
        return statement
    }

    /// Adds a link, or sets the places of an existing link.
    func add(_ link: ChangeSet.Link) throws(StorageError) {
        let statement = try connection.statement(SQLMutations(schema, SQLiteDialect()).link(link.table))
        statement.bind(link, of: schema.links[link.table])
        try statement.check(statement.perform())
    }
}
