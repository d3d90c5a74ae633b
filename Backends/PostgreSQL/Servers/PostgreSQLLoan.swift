/// A connection that a reader borrows from a pool or from a running transaction.
struct PostgreSQLLoan {
    /// The characteristics of the transactions of readers.
    static let transactionKind = " ISOLATION LEVEL REPEATABLE READ READ ONLY"

    let connection: PostgreSQLConnection
    /// The pool that takes the connection back; nil if the connection belongs to a transaction that continues.
    var pool: PostgreSQLPool?
    /// The replica of the connection; nil for the primary.
    var replica: PostgreSQLReplica?

    /// Whether the snapshot still exists.
    var keepsSnapshot: Bool { pool == nil || connection.keepsSnapshot }

    /// Whether the connection was lost before it returned data of the snapshot.
    var isLostAtFirst: Bool { pool != nil && connection.isLostAtFirst }

    /// - Parameter isSound: whether other callers may use the connection.
    func giveBack(isSound: Bool = true) { pool?.giveBack(connection, isSound: isSound) }
}
