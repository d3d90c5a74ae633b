import CofferSQL
import CofferStorage
import Foundation

/// An open store: what is known of its tables, its idle connections for reading, and the one that writes.
final class SQLiteSession: Sendable {
    let path: String
    let configuration: SQLiteConfiguration
    let metadata: StoreMetadata
    let schema: SQLSchema
    let requests: SQLQueries
    /// The same, with integer sums that do not leave 64 bits on their way.
    let wideRequests: SQLQueries
    /// By the index of an entity, for its rows and those of its sub-entities.
    let decoders: [SQLiteRowDecoder]
    let ownDecoders: [SQLiteRowDecoder]
    /// By the index of an entity, the statement that reads a row by its key.
    let rowTexts: [String]

    /// Of a file that is read as one that nobody writes: what it was when it was opened.
    let stamp: SQLiteFile.Stamp?
    /// What each connection needs to read a file of an older format.
    private let views: [String]

    /// Which file was opened; nil for one that is not at its place yet.
    private let place: SQLitePlace?
    /// The idle connections for reading; nil after the store was closed.
    private let idle = Locked<[SQLiteConnection]?>([])
    private let writer: Locked<SQLiteWriter?>

    static let closed = StorageError(.closed, "The store is not open. Open it first.")

    init(
        path: String, configuration: SQLiteConfiguration, metadata: StoreMetadata, schema: SQLSchema,
        writer connection: SQLiteConnection, stamp: SQLiteFile.Stamp? = nil, views: [String] = []
    ) {
        self.path = path
        self.stamp = stamp
        place = SQLitePlace(path)
        connection.keepLog()
        self.views = views
        self.configuration = configuration
        self.metadata = metadata
        self.schema = schema
        let requests = SQLQueries(schema, SQLiteDialect())
        self.requests = requests
        wideRequests = SQLQueries(schema, SQLiteDialect(hasWideSums: true))
        decoders = schema.shapes.enumerated().map { SQLiteRowDecoder($1, in: schema, root: $0) }
        ownDecoders = schema.ownShapes.enumerated().map { SQLiteRowDecoder($1, in: schema, root: $0) }
        rowTexts = schema.layout.entities.indices.map { requests.row(root: $0) }
        writer = Locked(SQLiteWriter(connection, schema, decoders: decoders, rowTexts: rowTexts))
    }

    func decoder(_ entity: Int, includesSubentities: Bool) -> SQLiteRowDecoder {
        includesSubentities ? decoders[entity] : ownDecoders[entity]
    }

    /// Runs the body with the connection that writes, alone in this process.
    func write<Result: Sendable>(
        _ body: (SQLiteWriter) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try writer.withLock { writer throws(StorageError) in
            guard let writer else { throw Self.closed }
            return try body(writer)
        }
    }

    /// A connection for reading, from the idle ones where there is one.
    func takeReader() throws(StorageError) -> SQLiteConnection {
        let idleConnection = try idle.withLock { idle throws(StorageError) in
            guard idle != nil else { throw Self.closed }
            // What is at the path by now may be another store.
            guard SQLitePlace(path) == place else { throw .moved(path) }
            return idle?.popLast()
        }
        if let idleConnection { return idleConnection }
        let connection = try SQLiteConnection(
            path: path, access: stamp == nil ? .read : .immutable, configuration: configuration)
        guard !connection.hasMoved else { throw .moved(path) }
        try connection.show(views)
        return connection
    }

    func giveBack(_ connection: SQLiteConnection) {
        if connection.isInTransaction { try? connection.run("COMMIT") }
        guard !connection.isInTransaction else { return }
        idle.withLock { idle in
            if let count = idle?.count, count < configuration.idleReaders { idle?.append(connection) }
        }
    }

    func close() {
        idle.withLock { $0 = nil }
        writer.withLock { $0 = nil }
    }
}

extension SQLiteSession {
    /// Refuses to go on where a file was written that is read as one that nobody writes: there is no snapshot of it.
    func checkUnchanged() throws(StorageError) {
        guard let stamp else { return }
        let file = SQLiteFile(path, configuration)
        guard file.stamp != stamp else { return }
        throw StorageError(
            .busy, "'\(file.name)' was written while it was read. Close the store and open it again.")
    }
}
