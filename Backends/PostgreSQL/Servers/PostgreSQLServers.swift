import CofferStorage

/// Lends read connections to readers, from a replica if possible or else from the primary.
final class PostgreSQLServers: Sendable {
    /// The connections to the primary for reading.
    let primary: PostgreSQLPool
    private let replicas: PostgreSQLReplicas?

    init(_ primary: PostgreSQLPool, _ replicas: PostgreSQLReplicas?) {
        self.primary = primary
        self.replicas = replicas
    }

    /// Returns a connection with a snapshot.
    ///
    /// - Parameter isCurrent: whether the snapshot must show all earlier commits of other processes.
    func lend(isCurrent: Bool) throws(StorageError) -> PostgreSQLLoan {
        if !isCurrent, let loan = replicas?.take() { return loan }
        let commits = replicas?.commits ?? 0
        let connection = try primary.take { connection throws(StorageError) in
            guard let replicas else {
                return try connection.beginWithFirstStatement(PostgreSQLLoan.transactionKind)
            }
            let position = try connection.begin(PostgreSQLLoan.transactionKind, then: PostgreSQLPosition.request)
            replicas.note(PostgreSQLPosition(position), after: commits)
        }
        return PostgreSQLLoan(connection: connection, pool: primary)
    }

    /// Takes the answer that ``noteCommit(on:)`` requested, so that the connection can be used for other commands.
    func settle() { replicas?.settle() }

    /// Notes a commit that may have been saved; replicas must have it before they are read.
    func noteCommit(on connection: PostgreSQLConnection) { replicas?.noteCommit(on: connection) }

    func close() {
        primary.close()
        replicas?.close()
    }
}
