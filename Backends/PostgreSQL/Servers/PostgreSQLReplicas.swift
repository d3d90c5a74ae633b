import CofferStorage

/// Chooses a replica that has replayed all commits of the store, and tracks the position of the primary.
final class PostgreSQLReplicas: Sendable {
    private struct State {
        /// No reader has seen what was committed later.
        var seen: PostgreSQLPosition
        /// How many commits of the store have ended.
        var commits = 0
        /// How many of them were made before `seen`.
        var settled = 0
        var turn = 0
    }

    private let replicas: [PostgreSQLReplica]
    private let state: Locked<State>
    /// The connection that was asked where the last commit is, and has not told yet.
    private let asked = Locked<(connection: PostgreSQLConnection, commits: Int)?>(nil)

    /// - Parameter connection: one to the primary, in no transaction.
    /// - Returns: nil where there are none, or the primary does not tell its position.
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

    /// How many commits have ended.
    var commits: Int { state.withLock(\.commits) }

    /// A commit may have been made: asks where, without waiting for the answer.
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

    /// Takes the answer to what was asked; the connection can be used for something else then.
    func settle() {
        asked.withLock { asked in
            guard let (connection, commits) = asked.take() else { return }
            note(connection.answer().flatMap { PostgreSQLPosition($0) }, after: commits)
        }
    }

    /// Notes where the primary was.
    ///
    /// - Parameters:
    ///   - position: nil where it does not tell: it is none at the moment.
    ///   - commits: how many had ended before it was asked.
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

    /// A connection to a copy, with a snapshot in which nothing is missing that the store has committed or seen; nil
    /// where the primary must be asked.
    func take() -> PostgreSQLLoan? {
        settle()
        let (position, turn) = state.withLock { state in
            state.turn = (state.turn + 1) % replicas.count
            return (state.settled == state.commits ? state.seen : nil, state.turn)
        }
        guard let position else { return nil }
        let available = (replicas[turn...] + replicas[..<turn]).filter { !$0.isPaused }
        // Nobody waits for one before the others were asked.
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
