import CofferSQL
import CofferStorage
import Foundation

/// The tables of a model in SQLite's words, and what a file says about itself.
struct SQLiteSchema {
    /// "Cofr": tells our files from those of others.
    static let applicationID = 0x436F_6672
    /// The way the tables are laid out.
    ///
    /// A file of a higher number was made by a later release.
    static let format = 1

    let schema: SQLSchema
    private let dialect = SQLiteDialect()

    init(_ schema: SQLSchema) {
        self.schema = schema
    }

    private var roots: [EntityLayout] { schema.layout.entities.filter { $0.root == $0.index } }

    // MARK: Writing

    /// The statements that make the tables of an empty file.
    var creation: [String] {
        var statements = [
            "PRAGMA application_id = \(Self.applicationID)",
            "CREATE TABLE coffer_metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            "CREATE TABLE coffer_keys (root TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
        ]
        for root in roots { statements.append(table(schema.tables[root.index])) }
        for link in schema.links { statements += linkTable(link) }
        return statements + indexes.map(\.creation)
    }

    func table(_ table: SQLTable) -> String {
        var columns = ["\(SQLTable.key) INTEGER PRIMARY KEY", "\(SQLTable.version) INTEGER NOT NULL"]
        if table.hasEntityColumn { columns.append("\(SQLTable.entity) TEXT NOT NULL") }
        columns += table.columns.map { "\(dialect.quoted($0.name)) \(Self.type($0.kind))" }
        return "CREATE TABLE \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    private static func type(_ kind: ColumnKind) -> String {
        switch kind {
        case .integer, .boolean, .date, .reference: "INTEGER"
        case .double: "REAL"
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

    /// The indexes and unique constraints of the rows' tables, by name.
    var indexes: [(name: String, creation: String)] {
        roots.flatMap { root in
            let table = schema.tables[root.index]
            return table.uniqueConstraints.map { index($0, of: table, isUnique: true) }
                + table.indexes.filter { !table.uniqueConstraints.contains($0) }.map {
                    index($0, of: table, isUnique: false)
                }
        }
    }

    /// The statement that makes a unique constraint.
    func uniqueIndex(_ columns: [Int], of table: SQLTable) -> String {
        index(columns, of: table, isUnique: true).creation
    }

    private func index(_ columns: [Int], of table: SQLTable, isUnique: Bool) -> (name: String, creation: String) {
        let names = columns.map { table.columns[$0].name }
        let prefix = isUnique ? "coffer_unique_" : "coffer_index_"
        let name = prefix + ([table.name] + names).joined(separator: "_")
        let list = names.map(dialect.quoted).joined(separator: ", ")
        return (
            name,
            "CREATE \(isUnique ? "UNIQUE " : "")INDEX IF NOT EXISTS \(dialect.quoted(name)) "
                + "ON \(dialect.quoted(table.name)) (\(list))"
        )
    }

    /// Creates everything in an empty file, inside a transaction.
    func create(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata {
        for statement in creation { try connection.execute(statement) }
        let metadata = StoreMetadata(store: UUID(), model: schema.layout.model)
        try Self.set("format", "\(Self.format)", connection)
        try Self.set("store", metadata.store.uuidString, connection)
        try Self.set("model", try Self.json(metadata.model), connection)
        for root in roots {
            let statement = try connection.statement("INSERT INTO coffer_keys (root, next) VALUES (?, 1)")
            defer { statement.reset() }
            try statement.bind(root.name, 1)
            _ = try statement.step()
        }
        return metadata
    }

    /// Makes the indexes of a store with the same hashes what the model says now, and keeps the model.
    func refresh(_ connection: SQLiteConnection) throws(StorageError) {
        let wanted = indexes
        let names = Set(wanted.map(\.name))
        let statement = try connection.statement("SELECT name FROM sqlite_master WHERE type = 'index'")
        var stale: [String] = []
        while try statement.step() {
            guard let name = statement.string(0), name.hasPrefix("coffer_index_"), !names.contains(name) else {
                continue
            }
            stale.append(name)
        }
        statement.reset()
        for name in stale { try connection.execute("DROP INDEX \(dialect.quoted(name))") }
        for index in wanted { try connection.execute(index.creation) }
        try Self.set("model", try Self.json(schema.layout.model), connection)
    }

    // MARK: Reading

    /// What the file says about itself; nil when it is empty.
    ///
    /// - Throws: `foreign` when it is a database of someone else's, `corrupt` when it contradicts itself.
    static func metadata(_ connection: SQLiteConnection) throws(StorageError) -> StoreMetadata? {
        let file = connection.fileName
        guard try connection.text("PRAGMA application_id") == "\(applicationID)" else {
            if try connection.text("SELECT COUNT(*) FROM sqlite_master") == "0" { return nil }
            throw StorageError(.foreign, "'\(file)' is a SQLite database, but not a Coffer store. Choose another file.")
        }
        func value(_ name: String) throws(StorageError) -> String? {
            try connection.text("SELECT value FROM coffer_metadata WHERE name = '\(name)'")
        }
        guard let format = try value("format").flatMap({ Int($0) }), let model = try value("model"),
            let store = try value("store").flatMap(UUID.init(uuidString:))
        else { throw damaged(file) }
        guard format <= Self.format else {
            throw StorageError(
                .foreign, "'\(file)' has format \(format), made by a later release. Update Coffer to open it."
            )
        }
        do {
            return StoreMetadata(store: store, model: try JSONDecoder().decode(StoreModel.self, from: Data(model.utf8)))
        } catch { throw damaged(file) }
    }

    private static func damaged(_ file: String) -> StorageError {
        StorageError(
            .corrupt,
            "The description of the store in '\(file)' is damaged. Restore it from a backup, or erase the store."
        )
    }

    static func json(_ model: StoreModel) throws(StorageError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do { return String(decoding: try encoder.encode(model), as: UTF8.self) } catch {
            throw .invalidModel("Version '\(model.version)' cannot be written down: \(error).")
        }
    }

    static func set(_ name: String, _ value: String, _ connection: SQLiteConnection) throws(StorageError) {
        let statement = try connection.statement("INSERT OR REPLACE INTO coffer_metadata (name, value) VALUES (?, ?)")
        defer { statement.reset() }
        try statement.bind(name, 1)
        try statement.bind(value, 2)
        _ = try statement.step()
    }
}
