import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// The replica of the server on which the tests run.
enum Replica {
    /// The comment of a test that is skipped without a replica.
    static let advice = "set COFFER_POSTGRES_REPLICA_URL to the URL that scripts/postgres replica prints"

    static var url: String { get throws { try #require(Postgres.replicaURL) } }

    static var primaryURL: String { get throws { try #require(Postgres.url) } }

    /// Runs statements on the replica.
    @discardableResult
    static func run(_ text: String) throws -> PostgreSQLResult {
        try PostgreSQLConnection(PostgreSQLAddress(url, schema: nil), PostgreSQLConfiguration()).execute(
            text)
    }

    /// Ends a connection to the replica.
    ///
    /// A replica itself ends connections whose readers block it.
    static func terminate(_ connection: PostgreSQLConnection) throws {
        let server = try connection.query("SELECT pg_backend_pid()::bigint").integer(0, 0)
        try run("SELECT pg_terminate_backend(\(server), 5000)")
    }

    /// Runs a closure while the replica receives the commits of the primary but does not show them.
    static func whileStandingStill(_ body: () throws -> Void) throws {
        try run("SELECT pg_wal_replay_pause()")
        defer { #expect(throws: Never.self) { try run("SELECT pg_wal_replay_resume()") } }
        while try run("SELECT pg_get_wal_replay_pause_state()").string(0, 0) != "paused" {
            Thread.sleep(forTimeInterval: 0.01)
        }
        try body()
    }

    static func stop() throws { try script("replica-down") }

    static func start() throws { try script("replica") }

    static func restart() throws {
        try stop()
        try start()
    }

    private static func script(_ command: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        // Foundation's Process would wait for the server, too.
        try #require(system("'\(root.standardizedFileURL.path)/scripts/postgres' \(command) >/dev/null") == 0)
    }
}
