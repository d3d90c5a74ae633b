public import CofferStorage

/// The connections, the time limits and the replicas of a ``PostgreSQLStore``.
///
/// ```swift
/// let settings = PostgreSQLConfiguration(connectionLimit: 8, statementTimeLimit: 30)
/// let store = try PostgreSQLStore(url: "postgresql://localhost/people", settings: settings)
/// ```
public struct PostgreSQLConfiguration: Sendable {
    /// How many connections for reading there are at most to each server; 32 unless told otherwise.
    ///
    /// There is one more for writing.
    public var connectionLimit: Int
    /// The seconds to wait for a connection while all are in use before an operation throws `busy`; 10 unless told
    /// otherwise.
    public var connectionTimeLimit: Double
    /// How many connections for reading stay open while no transaction reads; 4 by default.
    public var idleReaders: Int
    /// The seconds after which an idle connection is asked whether it is still there before it is used; 30 unless told
    /// otherwise.
    public var healthCheckInterval: Double
    /// The seconds without an answer after which the server is asked over a second connection whether it is there; 5
    /// unless told otherwise, nil never to ask.
    ///
    /// If nothing answers that either, twice in a row, for as long as connecting may take (`connect_timeout`, 10 seconds
    /// unless the URL says otherwise), what was under way throws `unavailable`, or `unknownOutcome` where it was a commit.
    /// A statement may take as long as it does while the server answers others. Later checks of one statement are
    /// further apart.
    public var serverCheckInterval: Double?
    /// The seconds to wait for rows that another writer holds before an operation throws `busy`; 5 unless told
    /// otherwise.
    public var busyTimeLimit: Double
    /// The seconds that the server works on one statement at most; nil for the limit that the server sets by itself.
    ///
    /// Migrating and loading take as long as they do.
    public var statementTimeLimit: Double?
    /// The seconds that a reader may keep its snapshot without asking anything; nil for the limit that the server sets
    /// by itself.
    ///
    /// The server ends the connection then, so that a program that hangs does not keep it from clearing up.
    public var idleTimeLimit: Double?
    /// Whether statements are prepared and kept by the server; true unless told otherwise.
    ///
    /// Say false behind a pooler that gives each transaction another connection, such as pgbouncer in transaction mode.
    /// Nothing is kept in a session then: what a connection needs to know is said in each transaction.
    public var keepsStatements: Bool
    /// How often a commit is repeated that the server gave up because of other writers; 5 times unless told otherwise.
    public var repetitionLimit: Int
    /// Servers that follow the primary, which readers are spread over; none unless told otherwise.
    ///
    /// Each is `host`, `host:port` or `[address]:port`, everything else being as the store's URL says, or a URL of its
    /// own. A store reads from a replica only what is not older than its own commits and what it has read before. While
    /// there is no such replica, it reads from the primary; a replica that fails is never an error by itself.
    public var replicas: [String]
    /// The seconds to wait for a replica that is behind what the store knows before the primary is read; 0.05 unless
    /// told otherwise.
    ///
    /// A replica that has let a reader wait in vain is asked, and not waited for, until it has caught up or
    /// ``replicaPause`` is over.
    public var replicaTimeLimit: Double
    /// The seconds for which a replica that failed is left alone, and one that is late not waited for; 10 unless told
    /// otherwise.
    public var replicaPause: Double
    /// Called with the name of a replica, and why it is left alone for a while; for logs and tests.
    public var onReplicaFailure: (@Sendable (_ replica: String, _ reason: StorageError) -> Void)?
    /// Called with the text of each statement, without values, as it starts; for logs and tests.
    public var onStatement: (@Sendable (String) -> Void)?

    /// A configuration that differs from the usual one in what is given.
    public init(
        connectionLimit: Int = 32, connectionTimeLimit: Double = 10, idleReaders: Int = 4,
        healthCheckInterval: Double = 30, serverCheckInterval: Double? = 5, busyTimeLimit: Double = 5,
        statementTimeLimit: Double? = nil, idleTimeLimit: Double? = nil, keepsStatements: Bool = true,
        repetitionLimit: Int = 5,
        replicas: [String] = [], replicaTimeLimit: Double = 0.05, replicaPause: Double = 10,
        onReplicaFailure: (@Sendable (_ replica: String, _ reason: StorageError) -> Void)? = nil,
        onStatement: (@Sendable (String) -> Void)? = nil
    ) {
        self.connectionLimit = connectionLimit
        self.connectionTimeLimit = connectionTimeLimit
        self.idleReaders = idleReaders
        self.healthCheckInterval = healthCheckInterval
        self.serverCheckInterval = serverCheckInterval
        self.busyTimeLimit = busyTimeLimit
        self.statementTimeLimit = statementTimeLimit
        self.idleTimeLimit = idleTimeLimit
        self.keepsStatements = keepsStatements
        self.repetitionLimit = repetitionLimit
        self.replicas = replicas
        self.replicaTimeLimit = replicaTimeLimit
        self.replicaPause = replicaPause
        self.onReplicaFailure = onReplicaFailure
        self.onStatement = onStatement
    }
}
