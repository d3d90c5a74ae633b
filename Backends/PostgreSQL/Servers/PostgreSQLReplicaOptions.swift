import CofferStorage

/// The options of replicas: the time limit, the pause after a failure, and the pool.
struct PostgreSQLReplicaOptions: Sendable {
    /// The seconds to wait for a replica that is behind what the store knows.
    var timeLimit: Double
    /// The seconds for which a replica that failed is not used.
    var pause: Double
    /// Called with the name of a replica that is not used for a while.
    var onFailure: (@Sendable (_ replica: String, _ reason: StorageError) -> Void)?
    var pool: PostgreSQLPoolOptions
}
