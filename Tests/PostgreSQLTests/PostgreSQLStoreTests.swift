import CofferConformance
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLStoreTests {
    @Test func `a connection that was lost while idle is reopened`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        #expect(try fixture.count() == 1)
        try fixture.run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid IN (\(try fixture.pids()))")
        try fixture.insert("b")
        #expect(try fixture.count() == 2)
    }

    @Test func `a reader that lost its connection throws once and then reads a newer snapshot`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        let reader = try fixture.store.makeReader()
        #expect(try reader.count(RowRequest(entity: 0)) == 1)
        try fixture.run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE state = 'idle in transaction' "
                + "AND query LIKE '%\"Note\"%' AND pid IN (\(try locked(fixture)))")
        #expect(#expect(throws: StorageError.self) { try reader.count(RowRequest(entity: 0)) }?.code == .unavailable)
        try fixture.insert("b")
        #expect(try reader.count(RowRequest(entity: 0)) == 2)
        try fixture.insert("c")
        #expect(try reader.count(RowRequest(entity: 0)) == 2)
        reader.finish()
        #expect(try fixture.count() == 3)
    }

    /// Returns the query of the servers with locks on the fixture's table; readers lock the tables that they have read.
    private func locked(_ fixture: PostgreSQLFixture) throws -> String {
        "SELECT pid FROM pg_locks WHERE relation = '\"\(fixture.schema)\".\"Note\"'::regclass"
    }

    @Test func `the snapshot of a reader expires after the idle time limit`() throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(idleTimeLimit: 2))
        let reader = try fixture.store.makeReader()
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
        try fixture.run("SELECT pg_sleep(3)")
        #expect(#expect(throws: StorageError.self) { try reader.count(RowRequest(entity: 0)) }?.code == .unavailable)
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
    }

    @Test func `a connection lost while keys are reserved throws a retryable error`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.run(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER stop AFTER UPDATE ON coffer_keys DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION stop()
            """)
        let error = #expect(throws: StorageError.self) { try fixture.store.reserveKeys(1, root: 0) }
        #expect(error?.code == .unavailable)
        #expect(error?.isRetryable == true)
        try fixture.run("DROP TRIGGER stop ON coffer_keys; DROP FUNCTION stop()")
        #expect(try fixture.store.reserveKeys(1, root: 0).count == 1)
    }

    @Test func `a connection lost during a commit makes the outcome unknown`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.run(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE CONSTRAINT TRIGGER stop AFTER INSERT ON "Note" DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION stop()
            """)
        let error = #expect(throws: StorageError.self) { try fixture.insert("a") }
        #expect(error?.code == .unknownOutcome)
        #expect(error?.message.contains("all changes were saved, or none") == true)
        try fixture.run("DROP TRIGGER stop ON \"Note\"; DROP FUNCTION stop()")
        #expect(try fixture.count() == 0)
        try fixture.insert("b")
        #expect(try fixture.count() == 1)
    }

    @Test func `a connection lost before the commit saves nothing`() throws {
        let fixture = try PostgreSQLFixture()
        try stopAtInsert(fixture)
        let keys = try fixture.store.reserveKeys(2, root: 0)
        var changes = ChangeSet()
        changes.inserts = try keys.map { .init(row: try fixture.row($0, "\($0)", 0)) }
        let error = #expect(throws: StorageError.self) { try fixture.store.commit(changes) }
        #expect(error?.code == .unavailable)
        #expect(error?.isRetryable == true)
        try fixture.run("DROP TRIGGER stop ON \"Note\"; DROP FUNCTION stop()")
        #expect(try fixture.count() == 0)
    }

    @Test func `a connection lost during a single-statement commit makes the outcome unknown`() throws {
        let fixture = try PostgreSQLFixture()
        try stopAtInsert(fixture)
        let error = #expect(throws: StorageError.self) { try fixture.insert("a") }
        #expect(error?.code == .unknownOutcome)
        try fixture.run("DROP TRIGGER stop ON \"Note\"; DROP FUNCTION stop()")
        try fixture.insert("b")
        #expect(try fixture.count() == 1)
    }

    private func stopAtInsert(_ fixture: PostgreSQLFixture) throws {
        try fixture.run(
            """
            CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END';
            CREATE TRIGGER stop AFTER INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION stop()
            """)
    }

    /// Returns the statements of a commit of some notes.
    private func statements(_ texts: [String?], beside others: [String]) throws -> [String] {
        let said = Locked<[String]>([])
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(onStatement: { text in said.withLock { $0.append(text) } }))
        for text in others { try fixture.insert(text) }
        let keys = try fixture.store.reserveKeys(texts.count, root: 0)
        var changes = ChangeSet()
        changes.inserts = try zip(keys, texts).map { .init(row: try fixture.row($0, $1, 0)) }
        said.withLock { $0 = [] }
        _ = try fixture.store.commit(changes)
        let statements = said.withLock(\.self)
        let distinct = Set((texts + others).compactMap(\.self))
        #expect(try fixture.count() == distinct.count + texts.count { $0 == nil })
        return statements.map { String($0.split(separator: " (").first ?? "") }
    }

    @Test func `one new row takes one statement, unless its unique values are stored`() throws {
        #expect(try statements(["a"], beside: []) == ["INSERT INTO \"Note\""])
        let met = try statements(["a"], beside: ["a"])
        #expect(met.prefix(3) == ["INSERT INTO \"Note\"", "BEGIN", "INSERT INTO \"Note\""] && met.last == "COMMIT")
    }

    @Test func `many new rows are copied, except rows with stored unique values`() throws {
        let texts = (0..<300).map { $0 % 7 == 0 ? nil : "\($0)\u{0}é" }
        func words(_ others: [String]) throws -> [Substring] {
            try statements(texts, beside: others).map { $0.prefix { $0 != " " } }
        }
        // A sample of the rows is searched first.
        let copied: [Substring] = ["SAVEPOINT", "COPY", "RELEASE", "COMMIT"]
        #expect(try words([]) == ["BEGIN", "SELECT"] + copied)
        // The sample misses the stored row. The store then finds and merges this row, and copies the other rows.
        #expect(
            try words(["5\u{0}é"])
                == ["BEGIN", "SELECT", "SAVEPOINT", "COPY", "ROLLBACK", "SELECT", "UPDATE"] + copied)
        #expect(try words(["16\u{0}é"]) == ["BEGIN", "SELECT", "SELECT", "UPDATE"] + copied)
    }

    @Test func `rows are returned in the order of their keys even if the table has another order`() throws {
        let said = Locked<[String]>([])
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(onStatement: { text in said.withLock { $0.append(text) } }))
        let keys = try (0..<30).map { try fixture.insert("\($0)", rank: Int64($0)) }
        // A changed row moves to another place in its table.
        try fixture.run("UPDATE \"Note\" SET rank = rank WHERE rank % 3 = 0")
        let table = try fixture.run("SELECT coffer_key FROM \"Note\"")
        let places = (0..<table.rowCount).compactMap { table.string($0, 0).flatMap(Int64.init) }
        #expect(places != keys && places.sorted() == keys)
        let rank = RowExpression.column(slot: fixture.slot("rank"), kind: .integer)
        let isGreater = RowPredicate.compare(rank, .greater, .value(.integer(9)))
        let requests = [
            (RowRequest(entity: 0), keys, false),
            (RowRequest(entity: 0, predicate: isGreater), Array(keys[10...]), false),
            (RowRequest(entity: 0, limit: 5), Array(keys[..<5]), true),
        ]
        for (request, expected, isOrdered) in requests {
            said.withLock { $0 = [] }
            let found = try fixture.store.read { reader throws(StorageError) in try reader.rows(request) }
            #expect(found.map(\.key) == expected)
            // The server orders only the rows of which it returns a part.
            #expect(said.withLock { $0.contains { $0.contains("ORDER BY") } } == isOrdered)
        }
    }

    @Test func `a commit that the server aborts with a serialization failure is repeated`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            'BEGIN IF nextval(''attempts'') < 3 THEN RAISE serialization_failure; END IF; RETURN NULL; END';
            CREATE TRIGGER refuse AFTER INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION refuse()
            """)
        try fixture.insert("a")
        #expect(try fixture.run("SELECT last_value::text FROM attempts").string(0, 0) == "3")
        try fixture.run("DROP TRIGGER refuse ON \"Note\"; DROP FUNCTION refuse(); DROP SEQUENCE attempts")
        #expect(try fixture.count() == 1)
    }

    @Test func `a reader beyond the connection limit waits and then throws busy`() throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(connectionLimit: 2, connectionTimeLimit: 0.05))
        let readers = try (0..<2).map { _ in try fixture.store.makeReader() }
        for reader in readers { _ = try reader.count(RowRequest(entity: 0)) }
        let error = #expect(throws: StorageError.self) { try fixture.count() }
        #expect(error?.code == .busy)
        #expect(error?.message.hasPrefix("All 2 connections to '") == true)
        for reader in readers { reader.finish() }
        #expect(try fixture.count() == 0)
    }

    @Test func `a caller that waits for a connection gets none if the store is closed`() throws {
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: nil)
        let pool = PostgreSQLPool(address, PostgreSQLConfiguration(connectionLimit: 1, connectionTimeLimit: 600))
        let taken = try pool.take { connection throws(StorageError) in try connection.begin() }
        // The pool is closed while `take` waits, or before it waits. Both cases must have the same result.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.5)
            pool.close()
            pool.giveBack(taken)
        }
        for _ in 0..<2 {
            let error = #expect(throws: StorageError.self) {
                pool.giveBack(try pool.take { connection throws(StorageError) in try connection.begin() })
            }
            #expect(error?.description == "closed: The store is not open. Open it first.")
        }
    }

    @Test func `an update of a row that another writer locks for too long throws busy`() throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(busyTimeLimit: 3))
        let key = try fixture.insert("a")
        let other = try PostgreSQLConnection(
            try PostgreSQLAddress(Postgres.url ?? "", schema: fixture.schema), PostgreSQLConfiguration())
        try other.begin()
        try other.execute("UPDATE \"Note\" SET rank = 1")
        var changes = ChangeSet()
        changes.updates = [.init(row: try fixture.row(key, "b", 0), columns: ColumnSet(below: 1))]
        #expect(#expect(throws: StorageError.self) { try fixture.store.commit(changes) }?.code == .busy)
        other.rollBack()
        _ = try fixture.store.commit(changes)
    }

    @Test func `a statement that exceeds its time limit throws busy`() throws {
        let connection = try PostgreSQLConnection(
            try PostgreSQLAddress(Postgres.url ?? "", schema: nil),
            PostgreSQLConfiguration(statementTimeLimit: 2))
        let error = #expect(throws: StorageError.self) { try connection.execute("SELECT pg_sleep(30)") }
        #expect(error?.code == .busy)
    }

    @Test(arguments: ["commits/", "predicates/", "merging/", "isolation/"])
    func `no session state remains in a connection behind a pooler`(_ prefix: String) async throws {
        for it in ConformanceCase.all where "\(it)".hasPrefix(prefix) && !"\(it)".contains("random") {
            try await it.run(on: SessionlessFixture.self)
        }
        #expect(SessionlessFixture.findings.withLock(\.kept) == [])
        #expect(SessionlessFixture.findings.withLock(\.sessions) > 0)
    }

    @Test func `erasing a store keeps the tables of other programs in the schema`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.run("CREATE TABLE theirs (a integer)")
        try fixture.store.erase()
        #expect(try fixture.store.inspect() == nil)
        let left = try fixture.run(
            "SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = '\(fixture.schema)'")
        #expect(left.string(0, 0) == "theirs")
        try fixture.run("DROP SCHEMA \"\(fixture.schema)\" CASCADE")
    }

    @Test func `a schema with a table of another program that has an entity's name is refused`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.store.erase()
        try fixture.run("CREATE SCHEMA \"\(fixture.schema)\"; CREATE TABLE \"\(fixture.schema)\".\"Note\" (a integer)")
        #expect(#expect(throws: StorageError.self) { try fixture.store.open(fixture.layout) }?.code == .foreign)
        try fixture.run("DROP SCHEMA \"\(fixture.schema)\" CASCADE")
    }
}
