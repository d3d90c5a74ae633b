import CofferSQL
import CofferStorage

/// An open store: what is known of its tables, its connections for reading, and the one that writes.
final class PostgreSQLSession: Sendable {
    let address: PostgreSQLAddress
    let configuration: PostgreSQLConfiguration
    let metadata: StoreMetadata
    let schema: SQLSchema
    let requests: SQLRequests
    let pool: PostgreSQLPool
    /// By the index of an entity, for its rows and those of its sub-entities.
    let decoders: [PostgreSQLRowDecoder]
    let ownDecoders: [PostgreSQLRowDecoder]
    /// By the index of an entity, the statement that reads rows by their keys.
    let rowTexts: [String]

    private let writer: Locked<PostgreSQLWriter?>

    static let closed = StorageError(.closed, "The store is not open. Open it first.")

    init(
        _ address: PostgreSQLAddress, _ configuration: PostgreSQLConfiguration, _ metadata: StoreMetadata,
        _ schema: SQLSchema, writer connection: PostgreSQLConnection
    ) {
        self.address = address
        self.configuration = configuration
        self.metadata = metadata
        self.schema = schema
        let requests = SQLRequests(schema, PostgreSQLDialect())
        self.requests = requests
        pool = PostgreSQLPool(address, configuration)
        decoders = schema.shapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        ownDecoders = schema.ownShapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        rowTexts = schema.layout.entities.indices.map { requests.rows(root: $0, count: 1) }
        writer = Locked(PostgreSQLWriter(connection, schema, configuration, decoders: decoders, rowTexts: rowTexts))
    }

    func decoder(_ entity: Int, includesSubentities: Bool) -> PostgreSQLRowDecoder {
        includesSubentities ? decoders[entity] : ownDecoders[entity]
    }

    /// Runs the body with the connection that writes, alone in this process.
    func write<Result: Sendable>(
        _ body: (PostgreSQLWriter) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try writer.withLock { writer throws(StorageError) in
            guard let writer else { throw Self.closed }
            return try body(writer)
        }
    }

    func close() {
        pool.close()
        writer.withLock { $0 = nil }
    }
}
