import CofferSQL
import CofferStorage

/// The SQL of SQLite that creates tables with their column types and indexes; reads the metadata of a file.
struct SQLiteSchema: SQLStoreDefinition {
    /// The number of the characters "Cofr", which distinguishes files of Coffer from other files.
    static let applicationID = 0x436F_6672

    let schema: SQLSchema
    let dialect = SQLiteDialect()

    // MARK: Writing

    var ownTables: [String] {
        [
            "PRAGMA application_id = \(Self.applicationID)",
            "CREATE TABLE coffer_metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
            "CREATE TABLE coffer_keys (root TEXT PRIMARY KEY, next INTEGER NOT NULL) WITHOUT ROWID",
        ]
    }

    /// The statement that saves the next key of a root entity; its values are the name of the entity and the key.
    static var savesKey: String { "INSERT OR REPLACE INTO coffer_keys (root, next) VALUES (?, ?)" }

    var savesMetadata: String { "INSERT OR REPLACE INTO coffer_metadata (name, value) VALUES (?, ?)" }
    var linkTableEnding: String { " WITHOUT ROWID" }

    func linkIndexName(_ link: SQLLinkTable) -> String? { dialect.quoted(link.name + " second") }

    func type(_ kind: ColumnKind) -> String {
        switch kind {
        case .integer, .boolean, .reference: "INTEGER"
        case .double, .date: "REAL"
        case .decimal: "TEXT COLLATE coffer_decimal"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }

    // MARK: Reading

    func indexNames(_ connection: SQLiteConnection) throws(StorageError) -> [String] {
        try connection.texts("SELECT name FROM sqlite_master WHERE type = 'index'", [])
    }

    /// Returns the description of the file; nil if the file is empty.
    ///
    /// - Throws: `foreign` if another program has created the database, `corrupt` if the description contradicts
    ///   itself.
    static func description(_ connection: SQLiteConnection) throws(StorageError) -> SQLDescription? {
        let file = connection.fileName
        // The snapshot is necessary, because another process may be creating the store.
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
}
