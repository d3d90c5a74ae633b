/// The options of a connection pool: the limits, the idle connections and the health check.
struct PostgreSQLPoolOptions: Sendable {
    /// How many connections there are at most.
    var connectionLimit: Int
    /// The seconds to wait for a connection while all are in use.
    var connectionTimeLimit: Double
    /// How many connections stay open while no transaction reads.
    var idleReaders: Int
    /// The seconds after which an idle connection is asked whether it is still there before it is used.
    var healthCheckInterval: Double
    var connection: PostgreSQLConnectionOptions
}
