package import CofferStorage
import Foundation

/// The tables and the metadata of a store, as both SQL backends create, compare and upgrade them.
package protocol SQLStoreDefinition: SQLDefinition {
    /// The type of the connections.
    associatedtype Connection: SQLConnection
    /// The type of the dialect.
    associatedtype Dialect: SQLDialect

    /// The dialect of the database.
    var dialect: Dialect { get }

    /// The statements that create the tables of the metadata and of the keys.
    var ownTables: [String] { get }

    /// The statement that saves a row of the metadata; its values are a name and a value.
    var savesMetadata: String { get }

    /// The part of a link table's definition after the columns.
    var linkTableEnding: String { get }

    /// Returns the quoted name of the second index of a link table; nil if the database chooses a name.
    func linkIndexName(_ link: SQLLinkTable) -> String?

    /// Returns the type of the columns of a kind.
    func type(_ kind: ColumnKind) -> String

    /// Returns the statements that convert the dates of a table from integers to doubles.
    func makeDatesDoubles(_ table: SQLTable) -> [String]

    /// Returns the names of all indexes of the store.
    func indexNames(_ connection: Connection) throws(StorageError) -> [String]

    /// Returns the description of the store; nil if there is no store.
    ///
    /// - Throws: `foreign` if another program has created the tables, `corrupt` if the description contradicts itself.
    static func description(_ connection: Connection) throws(StorageError) -> SQLDescription?
}

// MARK: Statements

extension SQLStoreDefinition {
    /// Returns the statement that creates a table of rows, without its indexes.
    package func table(_ table: SQLTable) -> String {
        var columns = ["\(SQLTable.key) \(type(.reference)) PRIMARY KEY"]
        columns.append("\(SQLTable.version) \(type(.reference)) NOT NULL")
        if table.hasEntityColumn { columns.append("\(SQLTable.entity) \(type(.text)) NOT NULL") }
        columns += table.columns.map { "\(dialect.quoted($0.name)) \(type($0.kind))" }
        return "CREATE TABLE \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// Returns the statements that create a table of links and then its second index.
    package func linkTable(_ link: SQLLinkTable) -> [String] {
        let (name, key) = (dialect.quoted(link.name), type(.reference))
        let positions = [link.firstPosition, link.secondPosition].compactMap(\.self).sorted()
        let columns =
            ["\"first\" \(key) NOT NULL", "\"second\" \(key) NOT NULL"]
            + positions.map { "\(dialect.quoted($0)) \(key)" } + ["PRIMARY KEY (\"first\", \"second\")"]
        let index = linkIndexName(link).map { $0 + " " } ?? ""
        return [
            "CREATE TABLE \(name) (\(columns.joined(separator: ", ")))\(linkTableEnding)",
            "CREATE INDEX \(index)ON \(name) (\"second\", \"first\")",
        ]
    }

    /// Returns the statement that creates an index or a unique constraint, in which null comes first, as in orders.
    package func creation(_ index: SQLIndex) -> String {
        let table = schema.tables[index.root]
        let columns = index.columns.map {
            dialect.quoted(table.columns[$0].name) + dialect.nullOrder(ascending: true)
        }
        return "CREATE \(index.constraint == nil ? "" : "UNIQUE ")INDEX IF NOT EXISTS \(dialect.quoted(index.name)) "
            + "ON \(dialect.quoted(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// Returns the statements that upgrade the tables from the previous format to a format.
    package func upgrade(to format: SQLFormat) -> [String] {
        switch format {
        case .integerDates: []
        case .doubleDates: schema.rootTables.flatMap(makeDatesDoubles)
        }
    }
}

// MARK: Metadata

extension SQLStoreDefinition {
    /// Returns the id and the model of the store; nil if there is no store.
    package static func metadata(_ connection: Connection) throws(StorageError) -> StoreMetadata? {
        try description(connection)?.metadata
    }

    /// Creates a new store in an empty file or an empty schema of a database, inside a transaction.
    package func create(_ connection: Connection) throws(StorageError) -> StoreMetadata {
        let metadata = StoreMetadata(store: UUID(), model: schema.layout.model)
        try create(metadata, connection)
        for index in indexes { try connection.execute(index) }
        for root in schema.roots {
            let insert = "INSERT INTO \(SQLMetadata.keys) (root, next) VALUES (\(dialect.placeholder(0)), 1)"
            try connection.run(insert, [.text(root.name)])
        }
        return metadata
    }

    /// Creates everything except the keys and the indexes of a new store, inside a transaction.
    package func create(_ metadata: StoreMetadata, _ connection: Connection) throws(StorageError) {
        for statement in ownTables + tables { try connection.execute(statement) }
        try write(metadata, connection)
    }

    /// Compares the model of a store with the model of this definition.
    ///
    /// If the models have the same hashes and differ otherwise, the store gets the model and the indexes of this
    /// definition.
    ///
    /// - Parameter place: the name of the store in errors: the name of its file or database.
    /// - Throws: `schemaMismatch` if the hashes differ.
    package func refresh(
        _ metadata: StoreMetadata, of place: String, _ connection: Connection
    ) throws(StorageError) -> StoreMetadata {
        let model = schema.layout.model
        if model.isDescribed(by: metadata.model) { return metadata }
        guard metadata.model.isCompatible(with: model) else {
            throw .schemaMismatch("'\(place)'", stored: metadata.model, opened: model)
        }
        let names = Set(schema.indexes.map(\.name))
        for name in try indexNames(connection) where name.hasPrefix(SQLIndex.prefix) && !names.contains(name) {
            try connection.execute("DROP INDEX \(dialect.quoted(name))")
        }
        for index in indexes { try connection.execute(index) }
        let described = StoreMetadata(store: metadata.store, model: model)
        try write(described, connection)
        return described
    }

    private func write(_ metadata: StoreMetadata, _ connection: Connection) throws(StorageError) {
        for row in try SQLMetadata.rows(metadata) {
            try connection.run(savesMetadata, [.text(row.name), .text(row.value)])
        }
    }
}
