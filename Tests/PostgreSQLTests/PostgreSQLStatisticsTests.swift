import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Large commits keep the statistics of their tables fresh.
@Suite(.enabled(if: Postgres.url != nil, "set COFFER_POSTGRES_URL")) struct PostgreSQLStatisticsTests {
    private func insert(_ count: Int, into fixture: PostgreSQLFixture) throws {
        let first = try fixture.store.reserveKeys(count, root: 0).lowerBound
        var changes = ChangeSet()
        for key in first..<first + Int64(count) {
            changes.inserts.append(.init(row: try fixture.row(key, "note \(key)", key)))
        }
        _ = try fixture.store.commit(changes)
    }

    /// The rows of the table when it was analyzed; nil if it was not. The connection that writes answers, after it has
    /// analyzed.
    private func analyzed(_ fixture: PostgreSQLFixture) throws -> Int64? {
        let session = try #require(fixture.store.openSession)
        let text = """
            SELECT reltuples::bigint FROM pg_class c \
            WHERE oid = to_regclass('"\(fixture.schema)"."Note"') AND EXISTS (SELECT 1 FROM pg_statistic WHERE starelid = c.oid)
            """
        let rows = try session.write { writer throws(StorageError) in
            let found = try writer.connection.query(text)
            return found.rowCount == 0 ? nil : found.integer(0, 0)
        }
        return rows
    }

    @Test func `a large commit analyzes a table, and again when it is ten times as large`() throws {
        let fixture = try PostgreSQLFixture()
        _ = try fixture.run("ALTER TABLE \"Note\" SET (autovacuum_enabled = false)")
        try insert(900, into: fixture)
        #expect(try analyzed(fixture) == nil)
        try insert(1_000, into: fixture)
        #expect(try analyzed(fixture) == 1_900)
        try insert(2_000, into: fixture)
        #expect(try analyzed(fixture) == 1_900)
        try insert(20_000, into: fixture)
        #expect(try analyzed(fixture) == 23_900)
    }

    @Test func `a commit analyzes a table also if the search path ends with each transaction`() throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(keepsStatements: false))
        _ = try fixture.run("ALTER TABLE \"Note\" SET (autovacuum_enabled = false)")
        try insert(1_000, into: fixture)
        #expect(try analyzed(fixture) == 1_000)
    }

    @Test func `the position for replicas is received before a table is analyzed`() throws {
        let statements = Locked<[String]>([])
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(
                replicas: ["127.0.0.1:1"], replicaPause: 3600,
                onStatement: { text in statements.withLock { $0.append(text) } }))
        _ = try fixture.run("ALTER TABLE \"Note\" SET (autovacuum_enabled = false)")
        try insert(1_000, into: fixture)
        let last = statements.withLock { $0.suffix(2) }
        #expect(last.first == PostgreSQLPosition.request)
        #expect(last.last?.hasPrefix("DO ") == true)
        // The statement would fail if the answer to the request were not received.
        #expect(try analyzed(fixture) == 1_000)
    }

    @Test func `a loaded table has statistics at once`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.store.erase()
        try fixture.store.load(fixture.layout, as: UUID()) { loader throws(StorageError) in
            do {
                try loader.add((1...2_000).map { try fixture.row($0, "note \($0)", $0) })
            } catch {
                throw StorageError(.failed, "\(error)")
            }
        }
        _ = try fixture.store.open(fixture.layout)
        #expect(try analyzed(fixture) == 2_000)
    }

    @Test func `a commit is saved although its table cannot be analyzed`() throws {
        let fixture = try PostgreSQLFixture()
        let session = try #require(fixture.store.openSession)
        try session.write { writer throws(StorageError) in
            writer.connection.runLater("ANALYZE (SKIP_LOCKED) \"no table\"")
        }
        try insert(1_500, into: fixture)
        #expect(try fixture.count() == 1_500)
    }
}
