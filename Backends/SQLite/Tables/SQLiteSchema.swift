import CofferSQL
import CofferStorage
import Foundation

/// Creates tables with their column types, link tables and indexes; reads and writes the metadata of a file.
struct SQLiteSchema: SQLDefinition {
    /// "Cofr": tells our files from those of others.
    static let applicationID = 0x436F_6672

    let schema: SQLSchema
    private let dialect = SQLiteDialect()

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    // MARK: Writing

    private var ownTables: [String] {
        [
            "PRAGMA application_id = \(Self.applicationID)",
            "CREATE TABLE coffer_metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            "CREATE TABLE coffer_keys (root TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
        ]
    }

    func table(_ table: SQLTable) -> String {
        var columns = ["\(SQLTable.key) INTEGER PRIMARY KEY", "\(SQLTable.version) INTEGER NOT NULL"]
        if table.hasEntityColumn { columns.append("\(SQLTable.entity) TEXT NOT NULL") }
        columns += table.columns.map { "\(dialect.quoted($0.name)) \(Self.type($0.kind))" }
        return "CREATE TABLE \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    static func type(_ kind: ColumnKind) -> String {
        switch kind {
        case .integer, .boolean, .reference: "INTEGER"
        case .double, .date: "REAL"
        case .decimal: "TEXT COLLATE coffer_decimal"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }

    func linkTable(_ link: SQLLinkTable) -> [String] {
        let positions = [link.firstPosition, link.secondPosition].compactMap(\.self).sorted()
        let columns =
            ["\"first\" INTEGER NOT NULL", "\"second\" INTEGER NOT NULL"]
            + positions.map { "\(dialect.quoted($0)) INTEGER" } + ["PRIMARY KEY (\"first\", \"second\")"]
        return [
            "CREATE TABLE \(dialect.quoted(link.name)) (\(columns.joined(separator: ", "))) WITHOUT ROWID",
            "CREATE INDEX \(dialect.quoted(link.name + " second")) "
                + "ON \(dialect.quoted(link.name)) (\"second\", \"first\")",
        ]
    }

    /// The statement that makes an index or unique constraint.
    func creation(_ index: SQLIndex) -> String {
        let table = schema.tables[index.root]
        let columns = index.columns.map { dialect.quoted(table.columns[$0].name) }.joined(separator: ", ")
        return "CREATE \(index.constraint == nil ? "" : "UNIQUE ")INDEX IF NOT EXISTS \(dialect.quoted(index.name)) "
            + "ON \(dialect.quoted(table.name)) (\(columns))"
    }

    /// Creates everything in an empty file, inside a transaction.
    func create(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata {
        let metadata = StoreMetadata(store: UUID(), model: schema.layout.model)
        try create(metadata, connection)
        for index in indexes { try connection.execute(index) }
        for root in schema.roots {
            let statement = try connection.statement("INSERT INTO coffer_keys (root, next) VALUES (?, 1)")
            defer { statement.reset() }
            try statement.bind(root.name, 1)
            _ = try statement.step()
        }
        return metadata
    }

    /// Creates everything but the keys and indexes in an empty file, inside a transaction.
    func create(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StorageError) {
        for statement in ownTables + tables { try connection.execute(statement) }
        try Self.write(metadata, connection)
    }

    /// Makes the indexes of a store with the same hashes what the model says now, and keeps the model.
    func refresh(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StorageError) {
        let names = Set(schema.indexes.map(\.name))
        let statement = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'index'")
        var stale: [String] = []
        while try statement.step() {
            guard let name = statement.string(0), name.hasPrefix(SQLIndex.prefix), !names.contains(name) else {
                continue
            }
            stale.append(name)
        }
        statement.reset()
        for name in stale { try connection.execute("DROP INDEX \(dialect.quoted(name))") }
        for index in schema.indexes { try connection.execute(creation(index)) }
        try Self.write(metadata, connection)
    }

    // MARK: Reading

    /// What the file says about itself; nil when it is empty.
    ///
    /// - Throws: `foreign` when it is a database of someone else's, `corrupt` when it contradicts itself.
    static func metadata(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata? {
        try description(connection)?.metadata
    }

    /// What the file says about itself and its format; nil when it is empty.
    static func description(_ connection: SQLiteConnection) throws(StorageError) -> SQLDescription? {
        let file = connection.fileName
        // In one snapshot: somebody may be making the store.
        return try connection.reading { () throws(StorageError) -> SQLDescription? in
            guard try connection.text("PRAGMA application_id") == "\(applicationID)" else {
                if try connection.text("SELECT COUNT(*) FROM sqlite_master") == "0" { return nil }
                throw StorageError(
                    .foreign, "'\(file)' is a SQLite database, but not a Coffer store. Choose another file.")
            }
            return try SQLMetadata.description(file) { name throws(StorageError) in
                try connection.text("SELECT value FROM coffer_metadata WHERE name = '\(name)'")
            }
        }
    }

    private static func write(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StorageError) {
        for row in try SQLMetadata.rows(metadata) { try set(row.name, row.value, connection) }
    }

    static func set(_ name: String, _ value: String, _ connection: SQLiteConnection) throws(StorageError) {
        let statement = try connection.statement("INSERT OR REPLACE INTO coffer_metadata (name, value) VALUES (?, ?)")
        defer { statement.reset() }
        try statement.bind(name, 1)
        try statement.bind(value, 2)
        _ = try statement.step()
    }
}
