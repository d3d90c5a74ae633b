/// Converts the configuration of a store to the options of connections, pools and replicas.
extension PostgreSQLConfiguration {
    /// The options of each connection.
    var connection: PostgreSQLConnectionOptions {
        PostgreSQLConnectionOptions(
            serverCheckInterval: serverCheckInterval, busyTimeLimit: busyTimeLimit,
            statementTimeLimit: statementTimeLimit, idleTimeLimit: idleTimeLimit, keepsStatements: keepsStatements,
            onStatement: onStatement)
    }

    /// The options of the pool of each server.
    var pool: PostgreSQLPoolOptions {
        PostgreSQLPoolOptions(
            connectionLimit: connectionLimit, connectionTimeLimit: connectionTimeLimit, idleReaders: idleReaders,
            healthCheckInterval: healthCheckInterval, connection: connection)
    }

    /// The options of the replicas.
    var replica: PostgreSQLReplicaOptions {
        PostgreSQLReplicaOptions(
            timeLimit: replicaTimeLimit, pause: replicaPause, onFailure: onReplicaFailure, pool: pool)
    }
}
