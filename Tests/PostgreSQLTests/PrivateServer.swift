import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// A server that one test starts, so that the test can freeze it or change its settings.
final class PrivateServer {
    let url: String
    private let directory: URL
    private var frozen: [pid_t] = []

    /// - Parameter options: further options of `postgres`.
    init(_ options: String = "") throws {
        // The server may run as another user, who needs access to the directory.
        directory = try TemporaryDirectory.make().appending(path: "server")
        try Self.script("up \(options)", directory)
        url = try String(contentsOf: directory.appending(path: "url"), encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    deinit {
        thaw()
        #expect(throws: Never.self) { try Self.script("down", directory) }
    }

    /// Runs statements on this server.
    @discardableResult
    func run(_ text: String) throws -> PostgreSQLResult { try Self.run(text, url) }

    /// Runs statements on a server.
    @discardableResult
    static func run(_ text: String, _ url: String) throws -> PostgreSQLResult {
        try PostgreSQLConnection(PostgreSQLAddress(url, schema: nil), PostgreSQLConfiguration()).execute(
            text)
    }

    /// Stops all processes of the server.
    ///
    /// The host of the server still accepts connections, and nothing answers them.
    func freeze() throws {
        let found = try run("SELECT string_agg(pid::text, ' ') FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        let main = try String(contentsOf: directory.appending(path: "data/postmaster.pid"), encoding: .utf8)
        let pids = [main.prefix { $0.isNumber }] + (found.string(0, 0) ?? "").split(separator: " ")
        for pid in pids.compactMap({ pid_t($0) }) {
            try #require(kill(pid, SIGSTOP) == 0)
            frozen.append(pid)
        }
    }

    /// Lets the processes continue.
    func thaw() {
        for pid in frozen { kill(pid, SIGCONT) }
        frozen = []
    }

    private static func script(_ command: String, _ directory: URL) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        // Foundation's Process would wait for the server, too.
        let line = "COFFER_POSTGRES_DIRECTORY='\(directory.path)' '\(root.standardizedFileURL.path)/scripts/postgres' "
        try #require(system(line + command + " >/dev/null") == 0)
    }
}
