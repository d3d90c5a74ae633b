public import CofferSQL
public import CofferStorage
public import CofferStorageTools
public import Foundation

/// A store in a schema of a PostgreSQL database; refuses a schema whose name is too long.
///
/// ```swift
/// let store = try PostgreSQLStore(url: "postgresql://localhost/people?schema=app")
/// try stack.addStorageAndWait(store)
/// ```
///
/// Any number of threads and processes read and write at once. Each reader uses its own connection, up to
/// `connectionLimit` of ``PostgreSQLConfiguration``.
///
/// If the server cannot be reached, an operation throws `unavailable`. If the connection is lost during a commit, the
/// commit throws `unknownOutcome`, because the changes may be saved.
public final class PostgreSQLStore:
    MigratableStorage, LoadableStorage, CheckableStorage, ReplicatedStorage, PooledStorage, ConfigurableStorage,
    SQLStorage
{
    /// The kind of store, for logs.
    public static let storeType = "PostgreSQL"

    /// The name of the configuration whose entities the store holds; nil for all entities.
    public let configuration: ModelConfiguration
    /// The connections, time limits and replicas, from the URL and from the initialiser.
    public let settings: PostgreSQLConfiguration
    /// The plans for migration steps that cannot be inferred.
    public let migrationMappingProviders: [any SchemaMappingProvider]

    private let address: PostgreSQLAddress
    private let session = Locked<PostgreSQLSession?>(nil)

    /// Creates a store in a database.
    ///
    /// ```swift
    /// let store = try PostgreSQLStore(url: "postgresql://app@db.example.org/people?schema=app&pool=8")
    /// ```
    ///
    /// The initialiser does not connect. The schema and its tables are created when the store is added.
    ///
    /// - Parameters:
    ///   - url: a `postgresql://` URL, or a string of libpq's keywords. Missing parts come from the environment, such
    ///     as `PGHOST`. A URL may have all of ``urlOptions``.
    ///   - schema: the schema of the tables, with a name of at most 63 bytes; nil for the schema of the URL, or
    ///     `public`.
    ///   - configuration: the name of the configuration whose entities the store holds; nil for the configuration of
    ///     the URL, or all entities.
    ///   - migrationMappingProviders: plans for migration steps that cannot be inferred.
    ///   - settings: connections, time limits and replicas. Options of the URL override them.
    /// - Throws: `invalidConfiguration` for an unknown option, a wrong value, or a schema whose name is too long;
    ///   `unavailable` if the rest of the URL cannot be read.
    public init(
        url: String, schema: String? = nil, configuration: ModelConfiguration = nil,
        migrationMappingProviders: [any SchemaMappingProvider] = [],
        settings: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws(StorageError) {
        let options = try PostgreSQLURLOptions(url)
        address = try PostgreSQLAddress(options, schema: schema, replicas: settings.replicas)
        // The server would shorten the name where a statement names the schema, but not where it compares names.
        let (size, limit) = (address.schema.utf8.count, PostgreSQLIdentifier.sizeLimit)
        guard size <= limit else {
            throw .invalidConfiguration(
                "The name of the schema '\(address.schema)' has \(size) bytes. Choose one with \(limit) at most.")
        }
        self.configuration = configuration ?? options.configuration
        self.migrationMappingProviders = migrationMappingProviders
        self.settings = try options.settings(settings)
    }

    /// The maximum number of reading connections.
    public var readerLimit: Int { settings.connectionLimit }

    /// The database, the schema unless it is `public`, and the server, without the password.
    public var storeDescription: String { "PostgreSQLStore '\(address.name)'" }

    /// Reads the model and the id from the schema; nil if there is no store in the schema.
    public func inspect() throws(StorageError) -> StoreMetadata? { try database.inspect() }

    /// Opens the store, and creates the schema and the tables if they do not exist.
    public func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata {
        try session.withLock { session throws(StorageError) in
            if let session, session.layout === layout { return session.metadata }
            session?.close()
            session = nil
            let opened = try PostgreSQLSession(database.open(layout), settings)
            session = opened
            return opened.metadata
        }
    }

    /// Closes all connections; a reader in use keeps its connection until it finishes.
    public func close() {
        session.withLock { session in
            session?.close()
            session = nil
        }
    }

    /// Closes the store and removes its tables; also removes the schema if it contains nothing else.
    ///
    /// - Throws: `busy` if the store is open elsewhere. Behind a pooler, the store cannot detect this.
    public func erase() throws(StorageError) {
        close()
        try database.erase()
    }

    /// Returns a reader that takes an idle or a new connection at its first request.
    public func makeReader() throws(StorageError) -> any StorageReader { try opened().makeReader() }

    /// Reserves keys in a separate transaction, which increases the next key in the database.
    public func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try opened().write { writer throws(StorageError) in try writer.reserveKeys(count, root: root) }
    }

    /// Saves all changes in one transaction of the database.
    public func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult {
        try opened().commit(changes)
    }

    /// Returns a reader of the primary, which ignores ``PostgreSQLConfiguration/replicas``.
    public func makeCurrentReader() throws(StorageError) -> any StorageReader {
        try opened().makeReader(isCurrent: true)
    }

    /// Migrates the store through all steps in one transaction, while no other process has the store open.
    ///
    /// - Throws: `busy` if the store is open elsewhere.
    public func migrate(
        _ steps: [MigrationPlan], report: (MigrationReport) throws(StorageError) -> Void
    ) throws(StorageError) -> StoreMetadata {
        try whileClosed { database throws(StorageError) in try database.migrate(steps, report) }
    }

    /// Creates the tables and their content in one transaction.
    ///
    /// The connection writes rows and links with `COPY`, and reads them back before it commits.
    public func load(
        _ layout: ModelLayout, as store: UUID, filling fill: (any StorageLoader) throws(StorageError) -> Void,
        verifying verify: (any StorageReader) throws(StorageError) -> Void
    ) throws(StorageError) {
        try whileClosed(orThrow: .openWhileLoading) { database throws(StorageError) in
            try database.load(StoreMetadata(store: store, model: layout.model), layout, fill, verify)
        }
    }

    /// Returns the size of the tables with their indexes.
    public func byteCount() throws(StorageError) -> Int64? { try database.byteCount() }

    /// Returns no damage.
    ///
    /// A server maintains its own files, and has its own tools to repair them.
    public func damage() throws(StorageError) -> [String] { [] }

    /// Returns the statement of a request, as the server receives it.
    public static func explanation(
        of request: RowRequest, in layout: ModelLayout
    ) throws(StorageError) -> SQLExplanation {
        let schema = SQLSchema(layout, naming: PostgreSQLDialect.naming)
        return try SQLExplanation(request, SQLQueries(schema, PostgreSQLDialect()), narrows: true)
    }

    /// The session of the open store; nil while the store is closed.
    var openSession: PostgreSQLSession? { session.withLock(\.self) }

    /// Runs the body with the database, while no thread opens it through this store.
    func whileClosed<Result: Sendable>(
        orThrow error: StorageError = .openWhileMigrating,
        _ body: (PostgreSQLDatabase) throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try session.withLock { session throws(StorageError) in
            guard session == nil else { throw error }
            return try body(database)
        }
    }

    var database: PostgreSQLDatabase { PostgreSQLDatabase(address: address, options: settings) }

    func opened() throws(StorageError) -> PostgreSQLSession {
        guard let session = openSession else { throw PostgreSQLPool.closed }
        return session
    }
}

extension PostgreSQLStore: CustomDebugStringConvertible, CoreStoreDebugStringConvertible {
    /// The description of the store and its limits, without secrets.
    public var coreStoreDumpString: String {
        DumpTree.text([
            ("storeDescription", storeDescription),
            ("configuration", configuration as Any),
            ("connectionLimit", settings.connectionLimit),
            ("replicas", settings.replicas.count),
            ("migrationMappingProviders", migrationMappingProviders.map { "\(type(of: $0))" }),
        ])
    }
}
