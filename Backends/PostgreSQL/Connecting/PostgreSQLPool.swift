import CofferStorage
import Dispatch
import Foundation

/// A pool of read connections: limits the connections in use, keeps idle ones, and replaces lost ones.
final class PostgreSQLPool: Sendable {
    private let address: PostgreSQLAddress
    private let options: PostgreSQLConfiguration
    private let limit: Int
    private let places: DispatchSemaphore
    /// The idle connections; nil after the store was closed.
    private let idle = Locked<[PostgreSQLConnection]?>([])

    static let closed = StorageError(.closed, "The store is not open. Open it first.")

    init(_ address: PostgreSQLAddress, _ options: PostgreSQLConfiguration) {
        self.address = address
        self.options = options
        limit = max(1, options.connectionLimit)
        places = DispatchSemaphore(value: limit)
    }

    /// Returns a connection in a transaction that the closure begins: an idle one that answers, or a new one.
    ///
    /// - Throws: `busy` if all connections are in use for too long.
    func take(
        _ begin: (PostgreSQLConnection) throws(StorageError) -> Void
    ) throws(StorageError) -> PostgreSQLConnection {
        if let taken = try take(within: options.connectionTimeLimit, begin) { return taken }
        throw StorageError(
            .busy, "All \(limit) connections to '\(address.name)' are in use. Finish readers, or raise the limit.",
            isRetryable: true)
    }

    /// Returns such a connection; nil if all connections are in use for too long.
    func take(
        within seconds: Double, _ begin: (PostgreSQLConnection) throws(StorageError) -> Void
    ) throws(StorageError) -> PostgreSQLConnection? {
        try checkIsOpen()
        guard places.wait(timeout: .now() + seconds) == .success else {
            try checkIsOpen()
            return nil
        }
        do throws(StorageError) {
            while let connection = try takeIdle() {
                if try use(connection, begin) { return connection }
            }
            let connection = try PostgreSQLConnection(address, options)
            try begin(connection)
            return connection
        } catch {
            places.signal()
            throw error
        }
    }

    /// Returns an idle connection; nil if there is none.
    ///
    /// - Throws: `closed`, also if the store was closed while the caller waited.
    private func takeIdle() throws(StorageError) -> PostgreSQLConnection? {
        try idle.withLock { idle throws(StorageError) in
            guard idle != nil else { throw Self.closed }
            return idle?.popLast()
        }
    }

    private func checkIsOpen() throws(StorageError) {
        guard idle.withLock({ $0 != nil }) else { throw Self.closed }
    }

    /// Begins a transaction on an idle connection; returns false if the connection was lost while it was idle.
    private func use(
        _ connection: PostgreSQLConnection, _ begin: (PostgreSQLConnection) throws(StorageError) -> Void
    ) throws(StorageError) -> Bool {
        if connection.idleSince.timeIntervalSinceNow < -options.healthCheckInterval, !connection.answers() {
            guard connection.isSilent, let failure = connection.lastFailure else { return false }
            forgetIdle()
            throw failure.storageError(address.name)
        }
        do throws(StorageError) {
            try begin(connection)
            return true
        } catch {
            if connection.isSilent { forgetIdle() }
            if connection.isUsable || connection.isSilent { throw error }
            return false
        }
    }

    /// Discards the idle connections, so that no caller waits again for a server that does not answer.
    private func forgetIdle() { idle.withLock { $0?.removeAll() } }

    /// - Parameter isSound: whether other callers may use the connection.
    func giveBack(_ connection: PostgreSQLConnection, isSound: Bool = true) {
        defer { places.signal() }
        connection.endLater()
        if connection.isSilent { forgetIdle() }
        guard isSound, connection.isUsable, !connection.isSpoiled else { return }
        connection.idleSince = Date()
        idle.withLock { idle in
            if let count = idle?.count, count < options.idleReaders { idle?.append(connection) }
        }
    }

    func close() { idle.withLock { $0 = nil } }
}
