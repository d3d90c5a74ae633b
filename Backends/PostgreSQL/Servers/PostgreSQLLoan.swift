/// A connection that a reader borrows from a pool or from a running transaction.
struct PostgreSQLLoan {
    /// What the transactions of readers are.
    static let transactionKind = " ISOLATION LEVEL REPEATABLE READ READ ONLY"

    let connection: PostgreSQLConnection
    /// The pool that takes the connection back; nil if it belongs to a transaction that continues.
    var pool: PostgreSQLPool?
    /// The copy that it leads to; nil for the primary.
    var replica: PostgreSQLReplica?

    /// Whether the snapshot is there still.
    var keepsSnapshot: Bool { pool == nil || connection.keepsSnapshot }

    /// Whether the connection was lost before it showed anything of the snapshot.
    var isLostAtFirst: Bool { pool != nil && connection.isLostAtFirst }

    /// - Parameter isSound: whether others may use the connection.
    func giveBack(isSound: Bool = true) { pool?.giveBack(connection, isSound: isSound) }
}
