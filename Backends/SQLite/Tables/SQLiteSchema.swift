import CofferSQL
import CofferStorage

/// The SQL of SQLite that creates tables with their column types and indexes; reads the metadata of a file.
struct SQLiteSchema: SQLStoreDefinition {
    /// "Cofr": tells our files from those of others.
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

    /// What the file says about itself and its format; nil when it is empty.
    ///
    /// - Throws: `foreign` when it is a database of someone else's, `corrupt` when it contradicts itself.
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
}
