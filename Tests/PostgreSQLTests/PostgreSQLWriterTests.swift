import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Commits that compete with other commits, and large commits.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLWriterTests {
    /// A store that calls a closure when one of its statements starts.
    private struct Watched: Sendable {
        private let onStatement = Locked<(@Sendable (String) -> Void)?>(nil)

        func fixture() throws -> PostgreSQLFixture {
            try PostgreSQLFixture(PostgreSQLConfiguration(onStatement: { text in onStatement.withLock(\.self)?(text) }))
        }

        /// Runs a closure once, when the first statement with the given beginning starts.
        func before(_ statement: String, _ body: @escaping @Sendable () -> Void) {
            onStatement.withLock {
                $0 = { text in
                    guard text.hasPrefix(statement) else { return }
                    onStatement.withLock { $0 = nil }
                    body()
                }
            }
        }

        /// Counts the statements with the given beginning from now on.
        func counting(_ statement: String) -> Locked<Int> {
            let count = Locked(0)
            onStatement.withLock {
                $0 = { text in if text.hasPrefix(statement) { count.withLock { $0 += 1 } } }
            }
            return count
        }
    }

    /// Runs a statement in a schema, on a connection of its own.
    @Sendable private static func run(_ text: String, in schema: String) {
        do {
            let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
            try PostgreSQLConnection(address, PostgreSQLConfiguration()).execute(text)
        } catch {
            Issue.record(error)
        }
    }

    @Test func `a new row is inserted if the row it would merge with is deleted before the search`() throws {
        let watched = Watched()
        let fixture = try watched.fixture()
        try fixture.insert("a")
        let schema = fixture.schema
        watched.before("SELECT t0.\"coffer_key\"") { Self.run("DELETE FROM \"Note\"", in: schema) }
        let key = try fixture.insert("a", rank: 2)
        let rows = try fixture.store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: 0)) }
        #expect(rows.map(\.key) == [key])
    }

    @Test func `a row that a new row merges with is not deleted before the merge`() throws {
        let watched = Watched()
        let fixture = try watched.fixture()
        let key = try fixture.insert("a")
        let (schema, done) = (fixture.schema, DispatchSemaphore(value: 0))
        watched.before("UPDATE \"Note\"") {
            Thread.detachNewThread {
                Self.run("DELETE FROM \"Note\" WHERE \"coffer_version\" = 1", in: schema)
                done.signal()
            }
            // The deletion waits for the commit, unless the row is not locked.
            _ = done.wait(timeout: .now() + 0.5)
        }
        try fixture.insert("a", rank: 2)
        #expect(done.wait(timeout: .now() + 600) == .success)
        let rows = try fixture.store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: 0)) }
        #expect(rows.map(\.key) == [key])
    }

    /// Makes the server abort the first attempts of a change.
    private func refuse(_ change: String, _ fixture: PostgreSQLFixture) throws {
        try fixture.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN IF nextval(''attempts'') < 3 THEN RAISE deadlock_detected; END IF; RETURN NULL; END';
            CREATE TRIGGER refuse AFTER \(change) ON "Note" FOR EACH STATEMENT EXECUTE FUNCTION refuse()
            """)
    }

    private func allow(_ fixture: PostgreSQLFixture) throws {
        try fixture.run("DROP TRIGGER refuse ON \"Note\"; DROP FUNCTION refuse(); DROP SEQUENCE attempts")
    }

    @Test func `many new rows that conflict with other commits are written again`() throws {
        let fixture = try PostgreSQLFixture()
        try refuse("INSERT", fixture)
        var changes = ChangeSet()
        changes.inserts = try fixture.store.reserveKeys(300, root: 0).map {
            .init(row: try fixture.row($0, "\($0)", 0))
        }
        _ = try fixture.store.commit(changes)
        try allow(fixture)
        #expect(try fixture.count() == 300)
    }

    @Test func `a changed unique value that conflicts with other commits is written again`() throws {
        let fixture = try PostgreSQLFixture()
        let key = try fixture.insert("a")
        try refuse("UPDATE", fixture)
        var changes = ChangeSet()
        changes.updates = [.init(row: try fixture.row(key, "b", 0), columns: ColumnSet(below: 2))]
        _ = try fixture.store.commit(changes)
        try allow(fixture)
        let rows = try fixture.store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: 0)) }
        #expect(rows.map(\.version) == [2])
    }

    @Test func `large rows are sent in several statements`() throws {
        let watched = Watched()
        let fixture = try watched.fixture()
        func rows(_ keys: some Sequence<Int64>, _ letter: String) throws -> [Row] {
            // The compressed strings fit into the index.
            try keys.map { try fixture.row($0, "\($0)" + String(repeating: letter, count: 100_000), 0) }
        }
        let keys = try fixture.store.reserveKeys(100, root: 0)
        let inserts = watched.counting("INSERT INTO \"Note\"")
        var changes = ChangeSet()
        changes.inserts = try rows(keys, "x").map { .init(row: $0) }
        _ = try fixture.store.commit(changes)
        #expect(inserts.withLock(\.self) == 3)
        let updates = watched.counting("UPDATE \"Note\"")
        changes = ChangeSet()
        changes.updates = try rows(keys, "y").map { .init(row: $0, columns: ColumnSet(below: 2)) }
        _ = try fixture.store.commit(changes)
        #expect(updates.withLock(\.self) == 3)
        #expect(try fixture.count() == 100)
    }
}
