import CofferStorage

/// Chooses a replica that has replayed all commits of the store, and tracks the position of the primary.
final class PostgreSQLReplicas: Sendable {
    private struct State {
        /// The position after which no reader has seen a commit.
        var seen: PostgreSQLPosition
        /// The number of commits of the store that have ended.
        var commits = 0
        /// The number of these commits that were saved before `seen`.
        var settled = 0
        var turn = 0
    }

    private let replicas: [PostgreSQLReplica]
    private let state: Locked<State>
    /// The connection that was asked for the position of the last commit, and has not answered yet.
    private let asked = Locked<(connection: PostgreSQLConnection, commits: Int)?>(nil)

    /// - Parameter connection: a connection to the primary, which is not in a transaction.
    /// - Returns: nil if there are no replicas, or if the primary does not report its position.
    static func find(
        _ options: PostgreSQLConfiguration, _ metadata: StoreMetadata, _ connection: PostgreSQLConnection
    ) throws(StorageError) -> PostgreSQLReplicas? {
        let addresses = connection.address.replicas
        guard !addresses.isEmpty else { return nil }
        do throws(StorageError) {
            guard let position = PostgreSQLPosition(try connection.execute(PostgreSQLPosition.request)) else {
                return nil
            }
            let replicas = addresses.map { PostgreSQLReplica($0, options, metadata) }
            return PostgreSQLReplicas(replicas, position)
        } catch {
            guard connection.isUsable else { throw error }
            for address in addresses { options.onReplicaFailure?(address.name, error) }
            return nil
        }
    }

    private init(_ replicas: [PostgreSQLReplica], _ position: PostgreSQLPosition) {
        self.replicas = replicas
        state = Locked(State(seen: position))
    }

    /// The number of commits that have ended.
    var commits: Int { state.withLock(\.commits) }

    /// Notes a commit that may have been saved, and requests its position without waiting for the answer.
    func noteCommit(on connection: PostgreSQLConnection) {
        let commits = state.withLock { state in
            state.commits += 1
            return state.commits
        }
        guard connection.isUsable, !connection.isInTransaction, connection.ask(PostgreSQLPosition.request) else {
            return
        }
        asked.withLock { $0 = (connection, commits) }
    }

    /// Takes the answer to the request for a position; the connection can then be used for other commands.
    func settle() {
        asked.withLock { asked in
            guard let (connection, commits) = asked.take() else { return }
            note(connection.answer().flatMap { PostgreSQLPosition($0) }, after: commits)
        }
    }

    /// Notes the position of the primary.
    ///
    /// - Parameters:
    ///   - position: nil if the server does not report a position, because it is not a primary at the moment.
    ///   - commits: the number of commits that had ended before the request.
    func note(_ position: PostgreSQLPosition?, after commits: Int) {
        state.withLock { state in
            guard let position else {
                state.commits += 1
                return
            }
            state.seen.advance(to: position)
            if state.seen.isComparable(to: position) { state.settled = max(state.settled, commits) }
        }
    }

    /// Returns a connection to a replica; nil if the reader must use the primary.
    ///
    /// The snapshot of the connection contains all commits that the store has saved or seen.
    func take() -> PostgreSQLLoan? {
        settle()
        let (position, turn) = state.withLock { state in
            state.turn = (state.turn + 1) % replicas.count
            return (state.settled == state.commits ? state.seen : nil, state.turn)
        }
        guard let position else { return nil }
        let available = (replicas[turn...] + replicas[..<turn]).filter { !$0.isPaused }
        // No reader waits for a replica before the other replicas were tried.
        if available.count > 1 {
            for replica in available { if let loan = take(position, from: replica, within: 0) { return loan } }
        }
        for replica in available {
            guard let seconds = replica.patience() ?? (available.count == 1 ? 0 : nil) else { continue }
            if let loan = take(position, from: replica, within: seconds) { return loan }
        }
        return nil
    }

    private func take(
        _ position: PostgreSQLPosition, from replica: PostgreSQLReplica, within seconds: Double
    ) -> PostgreSQLLoan? {
        guard replica.claim(), let taken = replica.take(position, within: seconds) else { return nil }
        state.withLock { $0.seen.advance(to: taken.shown) }
        return PostgreSQLLoan(connection: taken.connection, pool: replica.pool, replica: replica)
    }

    func close() {
        for replica in replicas { replica.pool.close() }
        asked.withLock { $0 = nil }
    }
}
