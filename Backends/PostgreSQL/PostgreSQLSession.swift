import CofferSQL
import CofferStorage

/// An open store: what is known of its tables, its connections for reading, and the one that writes.
final class PostgreSQLSession: Sendable {
    let address: PostgreSQLAddress
    let configuration: PostgreSQLConfiguration
    let metadata: StoreMetadata
    let schema: SQLSchema
    let requests: SQLQueries
    let pool: PostgreSQLPool
    /// By the index of an entity, for its rows and those of its sub-entities.
    let decoders: [PostgreSQLRowDecoder]
    let ownDecoders: [PostgreSQLRowDecoder]
    /// By the index of an entity, the statement that reads rows by their keys.
    let rowTexts: [String]

    private let replicas: PostgreSQLReplicas?
    private let writer: Locked<PostgreSQLWriter?>

    static let closed = StorageError(.closed, "The store is not open. Open it first.")

    init(
        _ address: PostgreSQLAddress, _ configuration: PostgreSQLConfiguration, _ metadata: StoreMetadata,
        _ schema: SQLSchema, writer connection: PostgreSQLConnection, _ replicas: PostgreSQLReplicas? = nil
    ) {
        self.address = address
        self.configuration = configuration
        self.metadata = metadata
        self.schema = schema
        let requests = SQLQueries(schema, PostgreSQLDialect())
        self.requests = requests
        pool = PostgreSQLPool(address, configuration)
        self.replicas = replicas
        decoders = schema.shapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        ownDecoders = schema.ownShapes.enumerated().map { PostgreSQLRowDecoder($1, in: schema, root: $0) }
        rowTexts = schema.layout.entities.indices.map { requests.rows(root: $0, count: 1) }
        writer = Locked(
            PostgreSQLWriter(connection, metadata, schema, configuration, decoders: decoders, rowTexts: rowTexts))
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
            replicas?.settle()
            return try body(writer)
        }
    }

    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try changes.checkNumbers(schema.layout)
        return try write { writer throws(StorageError) in
            // Also when it throws: it may have been made.
            defer { replicas?.noteCommit(on: writer.connection) }
            return try writer.commit(changes) { PostgreSQLReader(self, within: $0) }
        }
    }

    /// A connection with a snapshot.
    ///
    /// - Parameter isCurrent: whether it must show what other processes have committed by now.
    func lend(isCurrent: Bool) throws(StorageError) -> PostgreSQLLoan {
        if !isCurrent, let loan = replicas?.take() { return loan }
        let commits = replicas?.commits ?? 0
        let connection = try pool.take { connection throws(StorageError) in
            guard let replicas else {
                return try connection.beginWithFirstStatement(PostgreSQLReader.transactionKind)
            }
            let position = try connection.begin(PostgreSQLReader.transactionKind, then: PostgreSQLPosition.request)
            replicas.note(PostgreSQLPosition(position), after: commits)
        }
        return PostgreSQLLoan(connection, of: pool)
    }

    func close() {
        pool.close()
        writer.withLock { $0 = nil }
        replicas?.close()
    }
}
