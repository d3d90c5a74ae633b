import CofferStorage
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Stores that are erased while they are open elsewhere.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct ErasingTests {
    private func name(_ fixture: PostgreSQLFixture) -> Substring {
        fixture.store.storeDescription.dropFirst("PostgreSQLStore ".count)
    }

    @Test(arguments: [true, false])
    func `a store that is open elsewhere is not erased`(_ keepsStatements: Bool) throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        let settings = PostgreSQLConfiguration(busyTimeLimit: 0.2, keepsStatements: keepsStatements)
        let error = #expect(throws: StorageError.self) {
            try Postgres.store(fixture.schema, settings: settings).erase()
        }
        #expect(
            error?.description == "busy: \(name(fixture)) is open elsewhere. Close it there before it is erased.")
        #expect(error?.isRetryable == true)
        #expect(try fixture.count() == 1)
        fixture.store.close()
        let other = try Postgres.store(fixture.schema)
        try other.erase()
        #expect(try other.inspect() == nil)
    }

    @Test func `a store that is open only behind a pooler is erased`() throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(keepsStatements: false))
        try Postgres.store(fixture.schema).erase()
        #expect(try fixture.store.inspect() == nil)
    }

    @Test(arguments: [true, false])
    func `a store whose tables were dropped is reported as unavailable, not as damaged`(_ keepsStatements: Bool) throws
    {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(keepsStatements: keepsStatements))
        try fixture.insert("a")
        try fixture.run("DROP SCHEMA \"\(fixture.schema)\" CASCADE")
        for attempt in [{ _ = try fixture.count() }, { _ = try fixture.insert("b") }] {
            let error = #expect(throws: StorageError.self) { try attempt() }
            #expect(
                error?.description == """
                    unavailable: Tables of \(name(fixture)) are missing: another program erased the store or dropped \
                    them. Close the store. Then restore the tables from a backup, or open the store again, which \
                    creates an empty store.
                    """)
            #expect(error?.isRetryable == false)
        }
        fixture.store.close()
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.count() == 0)
    }

    @Test(arguments: [true, false])
    func `after reconnecting, a process does not continue in a new store in the same schema`(
        _ keepsStatements: Bool
    ) throws {
        let fixture = try PostgreSQLFixture(PostgreSQLConfiguration(keepsStatements: keepsStatements))
        try fixture.insert("a")
        try fixture.run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid IN (\(try fixture.pids()))")
        let other = try Postgres.store(fixture.schema)
        try other.erase()
        _ = try other.open(fixture.layout)
        let error = #expect(throws: StorageError.self) { try fixture.insert("b") }
        #expect(error?.description == "unavailable: \(name(fixture)) was erased while it was open. Open it again.")
        #expect(try other.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0)) } == 0)
        other.close()
        fixture.store.close()
        _ = try fixture.store.open(fixture.layout)
        try fixture.insert("b")
        #expect(try fixture.count() == 1)
    }
}
