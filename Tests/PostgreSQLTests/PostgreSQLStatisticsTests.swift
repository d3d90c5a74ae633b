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

    /// Returns the number of rows when the table was analyzed; nil if it was not analyzed.
    private func analyzed(_ fixture: PostgreSQLFixture) throws -> Int64? {
        let text = """
            SELECT reltuples::bigint FROM pg_class c \
            WHERE oid = to_regclass('"\(fixture.schema)"."Note"') AND EXISTS (SELECT 1 FROM pg_statistic WHERE starelid = c.oid)
            """
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: fixture.schema)
        let found = try PostgreSQLConnection(address, PostgreSQLConfiguration()).query(text)
        return found.rowCount == 0 ? nil : found.integer(0, 0)
    }

    /// Returns whether the table has statistics for one of these numbers of rows within a few seconds.
    private func isAnalyzed(_ fixture: PostgreSQLFixture, _ counts: Int64...) throws -> Bool {
        for _ in 0..<500 {
            if let count = try analyzed(fixture), counts.contains(count) { return true }
            Thread.sleep(forTimeInterval: 0.02)
        }
        return false
    }

    /// Returns a fixture, and a closure that returns the number of analyses that the fixture has requested.
    private func fixture(
        _ settings: PostgreSQLConfiguration = PostgreSQLConfiguration()
    ) throws -> (fixture: PostgreSQLFixture, analyses: () -> Int) {
        let analyses = Locked(0)
        var settings = settings
        settings.onStatement = { text in if text.hasPrefix("DO ") { analyses.withLock { $0 += 1 } } }
        let fixture = try PostgreSQLFixture(settings)
        _ = try fixture.run("ALTER TABLE \"Note\" SET (autovacuum_enabled = false)")
        return (fixture, { analyses.withLock(\.self) })
    }

    @Test func `a large commit analyzes a table, and again when it is ten times as large`() throws {
        let (fixture, analyses) = try fixture()
        try insert(900, into: fixture)
        #expect(analyses() == 0)
        try insert(1_000, into: fixture)
        #expect(analyses() == 1)
        #expect(try isAnalyzed(fixture, 1_900))
        try insert(2_000, into: fixture)
        #expect(analyses() == 1)
        try insert(20_000, into: fixture)
        #expect(analyses() == 2)
        #expect(try isAnalyzed(fixture, 23_900))
    }

    @Test func `a commit analyzes a table even if the search path is set per transaction`() throws {
        let (fixture, _) = try fixture(PostgreSQLConfiguration(keepsStatements: false))
        try insert(1_000, into: fixture)
        #expect(try isAnalyzed(fixture, 1_000))
    }

    @Test func `the position for replicas is requested before a table is analyzed`() throws {
        let statements = Locked<[String]>([])
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(
                replicas: ["127.0.0.1:1"], replicaPause: 3600,
                onStatement: { text in statements.withLock { $0.append(text) } }))
        _ = try fixture.run("ALTER TABLE \"Note\" SET (autovacuum_enabled = false)")
        try insert(1_000, into: fixture)
        // Between these statements, the store sets up the connection that analyzes.
        let last = statements.withLock { $0.suffix(3) }
        #expect(last.first == PostgreSQLPosition.request)
        #expect(last.last?.hasPrefix("DO ") == true)
        #expect(try isAnalyzed(fixture, 1_000))
    }

    /// Makes the server evaluate a function for each analyzed row, and not for the inserted rows.
    private func index(_ fixture: PostgreSQLFixture, byFunction body: String) throws {
        _ = try fixture.run(
            """
            CREATE FUNCTION act(text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS \
            $$BEGIN IF current_query() LIKE 'DO %' THEN \(body); END IF; RETURN $1; END$$
            """)
        _ = try fixture.run("CREATE INDEX ON \"Note\" (act(\"text\"))")
    }

    @Test func `a commit does not wait for the analysis of the previous commit`() throws {
        let (fixture, analyses) = try fixture()
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: fixture.schema)
        let other = try PostgreSQLConnection(address, PostgreSQLConfiguration())
        let lock = Int.random(in: 1 << 40...1 << 60)
        try index(fixture, byFunction: "PERFORM pg_advisory_xact_lock_shared(\(lock))")
        try other.execute("SELECT pg_advisory_lock(\(lock))")
        try insert(1_000, into: fixture)
        try insert(1, into: fixture)
        #expect(analyses() == 1)
        #expect(try analyzed(fixture) == nil)
        try other.execute("SELECT pg_advisory_unlock(\(lock))")
        #expect(try isAnalyzed(fixture, 1_000, 1_001))
    }

    @Test func `a table has statistics immediately after a load`() throws {
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
        let (fixture, analyses) = try fixture()
        try index(fixture, byFunction: "RAISE division_by_zero")
        try insert(1_500, into: fixture)
        try insert(1, into: fixture)
        #expect(analyses() == 1)
        #expect(try fixture.count() == 1_501)
        #expect(try analyzed(fixture) == nil)
    }
}
