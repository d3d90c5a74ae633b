import CofferStorage
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Transactions that begin together with their first statement.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct PostgreSQLPipelineTests {
    private let said = Locked<[String]>([])
    private let connection: PostgreSQLConnection

    init() throws {
        let said = said
        connection = try PostgreSQLConnection(
            PostgreSQLAddress(Postgres.url ?? "", schema: nil),
            PostgreSQLConfiguration(onStatement: { text in said.withLock { $0.append(text) } }))
        said.withLock { $0 = [] }
    }

    private let number = "SELECT $1::bigint"

    private func ask(_ value: Int64) throws -> Int64 {
        try connection.query(number, PostgreSQLParameters([.integer(value)])).integer(0, 0)
    }

    @Test func `a transaction begins with its first statement`() throws {
        #expect(PostgreSQLPipeline.available != nil)
        try connection.beginWithFirstStatement(" ISOLATION LEVEL REPEATABLE READ READ ONLY")
        #expect(connection.isInTransaction && connection.keepsSnapshot)
        #expect(said.withLock(\.self) == [])
        #expect(try ask(1) == 1)
        #expect(said.withLock(\.self) == ["BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", number])
        let level = try connection.query("SHOW transaction_isolation").string(0, 0)
        #expect(level == "repeatable read")
        try connection.commit()
        #expect(!connection.isInTransaction)
        // The connection knows the statement that was prepared in the pipeline.
        try connection.beginWithFirstStatement()
        #expect(try ask(2) == 2)
        #expect(
            try connection.query("SELECT COUNT(*) FROM pg_prepared_statements WHERE statement = '\(number)'")
                .integer(0, 0) == 1)
        connection.rollBack()
        #expect(!connection.isInTransaction)
    }

    @Test func `a transaction without statements sends nothing`() throws {
        try connection.beginWithFirstStatement()
        try connection.commit()
        try connection.beginWithFirstStatement()
        connection.rollBack()
        try connection.beginWithFirstStatement()
        connection.endLater()
        #expect(!connection.isInTransaction && connection.isReady)
        #expect(said.withLock(\.self) == [])
    }

    @Test func `statements without parameters and statements sent ahead begin the transaction`() throws {
        try connection.beginWithFirstStatement()
        try connection.execute("SAVEPOINT coffer")
        #expect(try ask(1) == 1)
        try connection.execute("ROLLBACK TO SAVEPOINT coffer")
        try connection.commit()
        try connection.beginWithFirstStatement()
        let parameters = PostgreSQLParameters([.integer(7)])
        let first = try connection.send(number, parameters)
        #expect(connection.isInTransaction)
        #expect(try connection.receive(first, number, parameters).integer(0, 0) == 7)
        // A discarded answer is requested again, and the answer to another statement is not used instead.
        let second = try connection.send(number, parameters)
        _ = try connection.send(number, PostgreSQLParameters([.integer(8)]))
        #expect(try connection.receive(second, number, parameters).integer(0, 0) == 7)
        try connection.commit()
        #expect(said.withLock { $0.count { $0 == "BEGIN" } } == 2)
    }

    @Test func `a failed first statement leaves a transaction that can be rolled back`() throws {
        let division = "SELECT 1 / $1::bigint"
        for text in [division, division, "SELECT nothing"] {
            try connection.beginWithFirstStatement()
            let values: [Value] = text == division ? [.integer(0)] : []
            #expect(throws: StorageError.self) { try connection.query(text, PostgreSQLParameters(values)) }
            #expect(connection.isUsable && connection.isInTransaction && !connection.keepsSnapshot)
            connection.rollBack()
            #expect(try ask(3) == 3)
        }
        // The statement was prepared once, although it never succeeded.
        #expect(
            try connection.query("SELECT COUNT(*) FROM pg_prepared_statements WHERE statement = '\(division)'")
                .integer(0, 0) == 1)
    }

    @Test func `a connection lost with the first statement is reported as unavailable`() throws {
        try connection.beginWithFirstStatement()
        let error = #expect(throws: StorageError.self) {
            try connection.query("SELECT pg_terminate_backend(pg_backend_pid())")
        }
        #expect(error?.code == .unavailable)
        #expect(!connection.isUsable)
    }

    @Test func `a first statement that is lost with its connection is repeated`() throws {
        let victims = Locked<String?>(nil)
        let fixture = try PostgreSQLFixture(
            PostgreSQLConfiguration(onStatement: { text in
                guard text.hasPrefix("BEGIN"), let victims = victims.withLock({ $0.take() }) else { return }
                // The connections end after the store has checked its connection, and before it sends anything.
                _ = try? PostgreSQLConnection(
                    PostgreSQLAddress(Postgres.url ?? "", schema: nil), PostgreSQLConfiguration()
                ).execute("SELECT pg_terminate_backend(pid, 5000) FROM unnest(ARRAY[\(victims)]) pid")
            }))
        let key = try fixture.insert("a")
        #expect(try fixture.count() == 1)
        let all = try fixture.pids()
        victims.withLock { $0 = all }
        #expect(try fixture.count() == 1)
        #expect(victims.withLock(\.self) == nil)
        try fixture.insert("b")
        let later = try fixture.pids()
        #expect(later != all)
        victims.withLock { $0 = later }
        var changes = ChangeSet()
        changes.deletes = [.init(entity: 0, key: key)]
        _ = try fixture.store.commit(changes)
        #expect(victims.withLock(\.self) == nil)
        #expect(try fixture.pids() != later)
        #expect(try fixture.count() == 1)
    }

    @Test func `a connection lost after a response is reported as unavailable`() throws {
        try connection.beginWithFirstStatement()
        let ticket = try connection.send(
            "SELECT pg_terminate_backend(pg_backend_pid())::text", PostgreSQLParameters())
        let error = #expect(throws: StorageError.self) {
            try connection.receive(ticket, number, PostgreSQLParameters())
        }
        #expect(error?.code == .unavailable)
        #expect(!connection.keepsSnapshot)
    }

    @Test func `a transaction that fails to begin keeps no snapshot`() throws {
        try connection.beginWithFirstStatement(" ISOLATION LEVEL NONE")
        #expect(throws: StorageError.self) { try ask(1) }
        #expect(connection.isUsable && !connection.keepsSnapshot)
    }

    @Test func `an older libpq begins a transaction without a pipeline`() throws {
        let older = try PostgreSQLConnection(
            PostgreSQLAddress(Postgres.url ?? "", schema: nil), PostgreSQLConfiguration(), pipeline: nil)
        try older.beginWithFirstStatement()
        #expect(try older.query(number, PostgreSQLParameters([.integer(5)])).integer(0, 0) == 5)
        try older.commit()
        #expect(!older.isInTransaction)
    }
}
