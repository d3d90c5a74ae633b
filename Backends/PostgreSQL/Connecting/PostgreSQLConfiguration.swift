public import CofferStorage

/// The settings of a `PostgreSQLStore` and their defaults: connections, time limits, repetitions and replicas.
///
/// ```swift
/// let settings = PostgreSQLConfiguration(connectionLimit: 8, statementTimeLimit: 30)
/// let store = try PostgreSQLStore(url: "postgresql://localhost/people", settings: settings)
/// ```
public struct PostgreSQLConfiguration: Sendable {
    /// The maximum number of reading connections to each server; 32 by default.
    ///
    /// There is one more connection for writing. After a commit that makes a table ten times as large, another
    /// connection is open until the server has analyzed the table.
    public var connectionLimit: Int
    /// The seconds to wait for a connection while all connections are in use; 10 by default.
    ///
    /// After this time, the operation throws `busy`.
    public var connectionTimeLimit: Double
    /// The number of connections for reading that stay open while no transaction reads; 4 by default.
    public var idleReaders: Int
    /// The seconds after which an idle connection is checked before its next use; 30 by default.
    public var healthCheckInterval: Double
    /// The seconds without an answer after which a second connection checks the server; 5 by default.
    ///
    /// If the value is nil, the store never checks the server.
    ///
    /// If two checks in a row get no answer, the waiting operation throws `unavailable`, and a waiting commit throws
    /// `unknownOutcome`. The time limit of a check is `connect_timeout`, which is 10 seconds unless the URL sets it. A
    /// statement may take any time while the server answers the checks. The time between two checks of one statement
    /// grows.
    public var serverCheckInterval: Double?
    /// The seconds to wait for rows that another writer has locked; 5 by default.
    ///
    /// After this time, the operation throws `busy`.
    public var busyTimeLimit: Double
    /// The maximum seconds that the server works on one statement; nil for the server's own limit.
    ///
    /// The limit does not apply to migrating and loading.
    public var statementTimeLimit: Double?
    /// The maximum seconds that a reader keeps its snapshot without a request; nil for the server's own limit.
    ///
    /// After this time, the server ends the connection. A program that hangs therefore cannot keep the server from
    /// cleaning up.
    public var idleTimeLimit: Double?
    /// Whether the server prepares statements and keeps them; true by default.
    ///
    /// Use false behind a pooler that gives each transaction another connection, such as pgbouncer in transaction mode.
    /// The store then keeps nothing in a session, and each transaction sends its own settings.
    public var keepsStatements: Bool
    /// The maximum number of repetitions of a commit that the server ended because of other writers; 5 by default.
    public var repetitionLimit: Int
    /// The servers that follow the primary and take a part of the reads; none by default.
    ///
    /// A replica is `host`, `host:port` or `[address]:port`, with all other settings of the store's URL, or it is a
    /// separate URL. A store reads from a replica only if the replica has all commits of the store and all data that
    /// the store has read before. If there is no such replica, the store reads from the primary. The failure of a
    /// replica alone never causes an error.
    public var replicas: [String]
    /// The seconds to wait for a replica that is behind the store, before the read uses the primary; 0.05 by default.
    ///
    /// If a reader has waited for a replica without success, later readers try this replica without waiting. They do so
    /// until the replica has caught up, or until ``replicaPause`` is over.
    public var replicaTimeLimit: Double
    /// The seconds for which the store does not use a failed replica, and does not wait for a late one; 10 by default.
    public var replicaPause: Double
    /// A closure for logs and tests that receives the name of a failed replica, and the reason for the failure.
    public var onReplicaFailure: (@Sendable (_ replica: String, _ reason: StorageError) -> Void)?
    /// A closure for logs and tests that receives the string of each statement at its start, without values.
    public var onStatement: (@Sendable (String) -> Void)?

    /// Creates a configuration that differs from the defaults in the given values.
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
