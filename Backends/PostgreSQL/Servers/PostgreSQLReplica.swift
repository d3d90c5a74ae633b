import CofferSQL
import CofferStorage
import Foundation

/// A replica and its connection pool, which the store pauses after a failure.
final class PostgreSQLReplica: Sendable {
    private struct State {
        /// The end of the pause after a failure.
        var pauseEnd: Date?
        /// The end of the time in which no reader waits for the replica, because a reader has waited in vain.
        var lateEnd: Date?
    }

    let pool: PostgreSQLPool
    private let name: String
    private let options: PostgreSQLConfiguration
    private let metadata: StoreMetadata
    private let state = Locked(State())

    init(_ address: PostgreSQLAddress, _ options: PostgreSQLConfiguration, _ metadata: StoreMetadata) {
        pool = PostgreSQLPool(address, options)
        name = address.name
        self.options = options
        self.metadata = metadata
    }

    /// Whether the replica is paused.
    var isPaused: Bool { state.withLock { $0.pauseEnd.map { $0 >= Date() } ?? false } }

    /// Returns whether the caller may use the replica now; after a pause, only one caller tries it.
    func claim() -> Bool { state.withLock { claim(&$0.pauseEnd) } }

    private func claim(_ end: inout Date?) -> Bool {
        guard let date = end else { return true }
        guard date < Date() else { return false }
        end = nextEnd
        return true
    }

    private var nextEnd: Date { Date(timeIntervalSinceNow: options.replicaPause) }

    /// Pauses the replica.
    func pause(_ reason: StorageError) {
        state.withLock { $0.pauseEnd = nextEnd }
        options.onReplicaFailure?(name, reason)
    }

    /// Returns the seconds to wait for the replica; nil if the replica is late.
    func patience() -> Double? { state.withLock { claim(&$0.lateEnd) } ? options.replicaTimeLimit : nil }

    /// Returns a connection with a snapshot from a position or later; nil if there is none in time.
    ///
    /// The result also contains the position up to which the snapshot may show commits.
    func take(
        _ position: PostgreSQLPosition, within seconds: Double
    ) -> (connection: PostgreSQLConnection, shown: PostgreSQLPosition)? {
        let end = Date(timeIntervalSinceNow: seconds)
        do throws(StorageError) {
            var shown: PostgreSQLPosition?
            let taken = try pool.take(within: 0) { connection throws(StorageError) in
                shown = try begin(connection, position, until: end)
            }
            guard let taken else { return nil }
            state.withLock { state in
                state.pauseEnd = nil
                if shown != nil || seconds > 0 { state.lateEnd = shown == nil ? nextEnd : nil }
            }
            if let shown { return (taken, shown) }
            pool.giveBack(taken)
        } catch {
            if error.code != .closed { pause(error) }
        }
        return nil
    }

    /// Begins a snapshot from a position or later.
    ///
    /// The applied position is requested before the snapshot is taken, and the shown position is requested
    /// afterwards.
    ///
    /// - Returns: the position up to which the snapshot may show commits; nil if the snapshot is too old.
    private func begin(
        _ connection: PostgreSQLConnection, _ position: PostgreSQLPosition, until end: Date
    ) throws(StorageError) -> PostgreSQLPosition? {
        let request = PostgreSQLReplay.request
        let text = "BEGIN; \(request); COMMIT; \(connection.beginning(PostgreSQLLoan.transactionKind)); \(request)"
        var interval = 0.001
        while true {
            let answers = try connection.executeEach(text)
            guard answers.count > 4, let before = PostgreSQLReplay(answers[1]),
                let after = PostgreSQLReplay(answers[answers.count - 1])
            else { throw failure("no longer follows a primary") }
            guard before.applied.isComparable(to: position), after.shown.isComparable(to: position) else {
                throw failure("follows another primary, or an earlier primary")
            }
            if before.applied.offset >= position.offset {
                try verify(connection)
                return after.shown
            }
            connection.endLater()
            let rest = end.timeIntervalSinceNow
            guard rest > 0 else { return nil }
            Thread.sleep(forTimeInterval: min(interval, rest))
            interval *= 2
        }
    }

    /// Verifies that the server of the connection is a replica of this store.
    private func verify(_ connection: PostgreSQLConnection) throws(StorageError) {
        guard !connection.isVerified else { return }
        let found = try PostgreSQLSchema.description(connection)
        guard let found, found.format == .current, found.metadata.store == metadata.store,
            found.metadata.model.isCompatible(with: metadata.model)
        else {
            throw failure("has another store, or another version of the store")
        }
        connection.isVerified = true
    }

    private func failure(_ words: String) -> StorageError {
        StorageError(.unavailable, "'\(name)' \(words). The primary is read instead.")
    }
}
