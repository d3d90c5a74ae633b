import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// The errors for commits that the server answers with an error or a warning.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct UnknownOutcomeTests {
    private func name(_ store: PostgreSQLStore) -> Substring {
        store.storeDescription.dropFirst("PostgreSQLStore ".count)
    }

    /// Creates a trigger of the notes that runs a statement, immediately or when the transaction commits.
    private func trigger(_ statement: String, isDeferred: Bool, _ fixture: PostgreSQLFixture) throws {
        let kind = isDeferred ? "CONSTRAINT TRIGGER" : "TRIGGER"
        let time = isDeferred ? "DEFERRABLE INITIALLY DEFERRED" : ""
        try fixture.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \(statement); RETURN NULL; END $$;
            CREATE \(kind) answer AFTER INSERT ON "Note" \(time) FOR EACH ROW EXECUTE FUNCTION answer()
            """)
    }

    private func removeTrigger(_ fixture: PostgreSQLFixture) throws {
        try fixture.run("DROP TRIGGER answer ON \"Note\"; DROP FUNCTION answer(); DROP SEQUENCE attempts")
    }

    /// Commits one or several new notes; a single note is a transaction of its own.
    private func commit(_ count: Int, _ fixture: PostgreSQLFixture) throws {
        let keys = try fixture.store.reserveKeys(count, root: 0)
        var changes = ChangeSet()
        changes.inserts = try keys.map { .init(row: try fixture.row($0, "\($0)", 0)) }
        _ = try fixture.store.commit(changes)
    }

    @Test(arguments: ["58030", "XX000", "53100", "57014", "08006", "40003", "P0001"], [1, 2])
    func `a commit that the server answers with an error has an unknown outcome`(_ state: String, _ count: Int) throws {
        let fixture = try PostgreSQLFixture()
        try trigger("RAISE EXCEPTION 'of the test' USING ERRCODE = '\(state)'", isDeferred: true, fixture)
        let error = #expect(throws: StorageError.self) { try commit(count, fixture) }
        try removeTrigger(fixture)
        #expect(
            error?.description == """
                unknownOutcome: \(name(fixture.store)) answered the commit with an error: all changes were saved, or \
                none. Check the data before you repeat the transaction.
                """)
        #expect(error?.cause == "PostgreSQL error \(state): of the test")
        #expect(error?.isRetryable == false)
        #expect(try fixture.count() == 0)
    }

    @Test(
        arguments: [("23505", .uniqueViolation), ("23514", .uniqueViolation), ("40001", .busy), ("40P01", .busy)]
            as [(String, StorageError.Code)], [1, 2])
    func `a commit that breaks a constraint or is rolled back is known not to be saved`(
        _ answer: (state: String, code: StorageError.Code), _ count: Int
    ) throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(repetitionLimit: 1))
        try trigger("RAISE EXCEPTION 'of the test' USING ERRCODE = '\(answer.state)'", isDeferred: true, fixture)
        let error = #expect(throws: StorageError.self) { try commit(count, fixture) }
        try removeTrigger(fixture)
        #expect(error?.code == answer.code)
        #expect(try fixture.count() == 0)
    }

    @Test(
        arguments: [("58030", .unavailable), ("53100", .full), ("42501", .readOnly), ("XX000", .failed)]
            as [(String, StorageError.Code)], [1, 2])
    func `an insert that fails before the commit is known not to be saved`(
        _ answer: (state: String, code: StorageError.Code), _ count: Int
    ) throws {
        let fixture = try PostgreSQLFixture()
        try trigger("RAISE EXCEPTION 'of the test' USING ERRCODE = '\(answer.state)'", isDeferred: false, fixture)
        let error = #expect(throws: StorageError.self) { try commit(count, fixture) }
        try removeTrigger(fixture)
        #expect(error?.code == answer.code)
        #expect(try fixture.count() == 0)
    }

    @Test func `a row whose insert fails only once is written`() throws {
        let fixture = try PostgreSQLFixture()
        try trigger(
            "IF nextval('attempts') = 1 THEN RAISE EXCEPTION 'once' USING ERRCODE = '58030'; END IF",
            isDeferred: false, fixture)
        try commit(1, fixture)
        try removeTrigger(fixture)
        #expect(try fixture.count() == 1)
    }

    @Test(arguments: [true, false])
    func `a stored row whose insert returned an error makes the outcome unknown`(
        _ hasConstraint: Bool
    ) throws {
        let other = Locked<(@Sendable () -> Void)?>(nil)
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(onStatement: { text in
                if text.hasPrefix("INSERT INTO \"Note\"") { other.withLock { $0.take() }?() }
            }), constraints: hasConstraint ? [["text"]] : [])
        try fixture.run(
            """
            CREATE SEQUENCE attempts;
            CREATE FUNCTION answer() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('attempts') = 1 THEN \
            RAISE EXCEPTION 'of the test' USING ERRCODE = '58030'; END IF; RETURN NEW; END $$;
            CREATE TRIGGER answer BEFORE INSERT ON "Note" FOR EACH ROW EXECUTE FUNCTION answer()
            """)
        let schema = fixture.schema
        other.withLock {
            $0 = {
                // This has the effect of a server that saves the row and fails as it answers.
                #expect(throws: Never.self) {
                    let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
                    try PostgreSQLConnection(address, PostgreSQLConfiguration()).execute(
                        """
                        SET session_replication_role = replica;
                        INSERT INTO "Note" (coffer_key, coffer_version, text, rank) VALUES (1, 1, '1', 0)
                        """)
                }
            }
        }
        let error = #expect(throws: StorageError.self) { try commit(1, fixture) }
        try removeTrigger(fixture)
        #expect(error?.code == .unknownOutcome)
        #expect(error?.cause == "PostgreSQL error 58030: of the test")
        #expect(try fixture.count() == 1)
    }

    @Test(arguments: [true, false], [1, 2])
    func `a warning of a trigger does not make the outcome unknown`(_ isDeferred: Bool, _ count: Int) throws {
        let fixture = try PostgreSQLFixture()
        try trigger("RAISE WARNING 'of the test'", isDeferred: isDeferred, fixture)
        try commit(count, fixture)
        try removeTrigger(fixture)
        #expect(try fixture.count() == count)
    }

    @Test(arguments: [("warning", 1), ("error", 1), ("error", 2)])
    func `a commit whose wait for a standby is cancelled has an unknown outcome`(
        _ level: String, _ count: Int
    ) throws {
        let server = try PrivateServer("-c synchronous_standby_names=nobody")
        let plain = try PostgreSQLStore(url: server.url)
        let fixture = try PostgreSQLFixture()
        let layout = fixture.layout
        _ = try plain.open(layout)
        let keys = try plain.reserveKeys(count, root: 0)
        let store = try PostgreSQLStore(
            url: server.url + "?options=-csynchronous_commit%3Don%20-cclient_min_messages%3D\(level)")
        _ = try store.open(layout)
        var changes = ChangeSet()
        changes.inserts = try keys.map { .init(row: try fixture.row($0, "\($0)", 0)) }
        let url = server.url
        let canceller = Thread {
            let cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
            // The wait begins at some time after the commit was sent.
            while let found = try? PrivateServer.run(cancel, url), found.rowCount == 0 {
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
        canceller.start()
        let error = #expect(throws: StorageError.self) { try store.commit(changes) }
        #expect(
            error?.description == """
                unknownOutcome: The server of \(name(store)) committed with a warning: a failover may undo the \
                commit. Check the data before you repeat the transaction.
                """)
        #expect(
            error?.cause == """
                PostgreSQL warning 01000: canceling wait for synchronous replication due to user request The transaction \
                has already committed locally, but might not have been replicated to the standby.
                """)
        #expect(
            try plain.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) } == count)
        store.close()
        plain.close()
    }
}
