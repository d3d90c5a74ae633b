import CofferStorage
import Dispatch
import Foundation
import Synchronization

/// The connections for reading: some that are idle, and no more in use than are allowed.
final class PostgreSQLPool: Sendable {
    private let address: PostgreSQLAddress
    private let configuration: PostgreSQLConfiguration
    private let limit: Int
    private let places: DispatchSemaphore
    private let idle = Locked<[PostgreSQLConnection]>([])
    private let isOpen = Atomic(true)

    init(_ address: PostgreSQLAddress, _ configuration: PostgreSQLConfiguration) {
        self.address = address
        self.configuration = configuration
        limit = max(1, address.connectionLimit ?? configuration.connectionLimit)
        places = DispatchSemaphore(value: limit)
    }

    /// A connection in a transaction: an idle one that answers, or a new one.
    ///
    /// - Throws: `busy` when all are in use for too long.
    func take(beginning kind: String) throws(StorageError) -> PostgreSQLConnection {
        guard isOpen.load(ordering: .acquiring) else { throw PostgreSQLSession.closed }
        guard places.wait(timeout: .now() + configuration.connectionTimeLimit) == .success else {
            throw StorageError(
                .busy,
                "All \(limit) connections to '\(address.name)' are in use. Finish readers, or raise the limit.",
                isRetryable: true)
        }
        do throws(StorageError) {
            while let connection = idle.withLock({ $0.popLast() }) {
                if try begin(connection, kind) { return connection }
            }
            let connection = try PostgreSQLConnection(address, configuration)
            try connection.beginWithFirstStatement(kind)
            return connection
        } catch {
            places.signal()
            throw error
        }
    }

    /// False when the connection was lost while it was idle.
    private func begin(_ connection: PostgreSQLConnection, _ kind: String) throws(StorageError) -> Bool {
        if connection.idleSince.timeIntervalSinceNow < -configuration.healthCheckInterval, !connection.answers() {
            return false
        }
        do throws(StorageError) {
            try connection.beginWithFirstStatement(kind)
            return true
        } catch {
            if connection.isUsable { throw error }
            return false
        }
    }

    func giveBack(_ connection: PostgreSQLConnection) {
        defer { places.signal() }
        connection.endLater()
        guard connection.isUsable, !connection.isSpoiled else { return }
        connection.idleSince = Date()
        idle.withLock { idle in
            guard isOpen.load(ordering: .acquiring), idle.count < configuration.idleReaders else { return }
            idle.append(connection)
        }
    }

    func close() {
        idle.withLock { idle in
            isOpen.store(false, ordering: .releasing)
            idle = []
        }
    }
}
