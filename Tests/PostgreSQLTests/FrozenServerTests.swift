import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Servers that stop answering, and statements that take long.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct FrozenServerTests {
    private let server: PrivateServer
    private let store: PostgreSQLStore
    private let notes: PostgreSQLFixture

    init() throws {
        notes = try PostgreSQLFixture()
        server = try PrivateServer()
        store = try PostgreSQLStore(
            url: server.url + "?connect_timeout=2", settings: PostgreSQLConfiguration(serverCheckInterval: 0.2))
        _ = try store.open(notes.layout)
    }

    private func insert(_ keys: some Sequence<Int64>) throws {
        var changes = ChangeSet()
        changes.inserts = try keys.map { .init(row: try notes.row($0, "\($0)", 0)) }
        _ = try store.commit(changes)
    }

    private func count() throws -> Int {
        try store.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) }
    }

    private var silence: String {
        "The server of \(store.storeDescription.dropFirst("PostgreSQLStore ".count)) does not answer and accepts no "
            + "new connections. Uncommitted changes are discarded. Check the server and the network, and try again."
    }

    @Test func `a read from a frozen server fails, and succeeds after the server resumes`() throws {
        try insert(1...3)
        #expect(try count() == 3)
        try server.freeze()
        let error = #expect(throws: StorageError.self) { try count() }
        #expect(error?.code == .unavailable)
        #expect(error?.message == silence)
        #expect(error?.isRetryable == true)
        server.thaw()
        #expect(try count() == 3)
        store.close()
    }

    @Test(arguments: [1, 2, 600])
    func `a commit to a frozen server fails`(_ count: Int64) throws {
        try insert(1...1)
        try insert(2...2)
        try server.freeze()
        let error = #expect(throws: StorageError.self) { try insert(10..<(10 + count)) }
        // A single row is a transaction of its own and may have been saved. Of several rows, none was committed.
        #expect(error?.code == (count == 1 ? .unknownOutcome : .unavailable))
        server.thaw()
        try insert(5...5)
        #expect(try (count == 1 ? [3, 4] : [3]).contains(self.count()))
        store.close()
    }

    @Test func `a commit larger than the send buffer fails on a frozen server`() throws {
        try insert(1...2)
        try server.freeze()
        var changes = ChangeSet()
        let text = String(repeating: "x", count: 30_000_000)
        changes.inserts = try [3, 4].map { .init(row: try notes.row($0, text, 0)) }
        let error = #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(error?.code == .unavailable)
        server.thaw()
        #expect(try count() == 2)
        store.close()
    }

    @Test func `a long statement does not fail while the server answers`() throws {
        let address = try PostgreSQLAddress(server.url, schema: nil)
        let connection = try PostgreSQLConnection(
            address, PostgreSQLConfiguration(serverCheckInterval: 0.05))
        #expect(try connection.query("SELECT 7::bigint FROM pg_sleep(2)").integer(0, 0) == 7)
        #expect(try connection.execute("SELECT 'a' FROM pg_sleep(1)").string(0, 0) == "a")
        store.close()
    }

    @Test func `a long statement does not fail if the server has no free connections`() throws {
        let address = try PostgreSQLAddress(server.url, schema: nil)
        let connection = try PostgreSQLConnection(
            address, PostgreSQLConfiguration(serverCheckInterval: 0.05))
        try connection.execute("CREATE DATABASE full_one CONNECTION LIMIT 1; ")
        let full = try PostgreSQLAddress(server.url.replacing("/postgres", with: "/full_one"), schema: nil)
        try connection.execute("CREATE ROLE one LOGIN")
        let single = try PostgreSQLConnection(
            PostgreSQLAddress(full.connectionString + "?user=one", schema: nil),
            PostgreSQLConfiguration(serverCheckInterval: 0.05))
        #expect(try single.query("SELECT 7::bigint FROM pg_sleep(1)").integer(0, 0) == 7)
        store.close()
    }

    /// Without a limit of its own, a request to cancel waits for as long as the server is frozen.
    @Test func `cancelling a statement of a frozen server returns`() throws {
        try insert(1...2)
        let session = try #require(store.openSession)
        let reader = session.makeReader()
        defer { reader.finish() }
        _ = try reader.active()
        let cancel = try reader.makeCanceller()
        try server.freeze()
        let isCancelled = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            cancel()
            isCancelled.signal()
        }
        let hasEnded = isCancelled.wait(timeout: .now() + 60) == .success
        #expect(hasEnded)
        let error = #expect(throws: StorageError.self) { try reader.count(RowRequest(entity: 0)) }
        #expect(error?.code == .unavailable)
        server.thaw()
        if !hasEnded { isCancelled.wait() }
        store.close()
    }
}
