import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Statements that are ended from another thread.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct CancellingTests {
    @Test func `a statement that is cancelled ends at once, and the reader can be used again`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        let session = try #require(fixture.store.openSession)
        let reader = PostgreSQLReader(session)
        defer { reader.finish() }
        let cancel = try reader.makeCanceller()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2, execute: cancel)
        let start = Date()
        let error = #expect(throws: StorageError.self) { try reader.active().execute("SELECT pg_sleep(30)") }
        #expect(error?.code == .busy)
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(try reader.count(RowRequest(entity: 0)) == 1)
    }

    @Test func `a connection whose statement was cancelled serves nobody else`() throws {
        let fixture = try PostgreSQLFixture()
        let session = try #require(fixture.store.openSession)
        let reader = PostgreSQLReader(session)
        try reader.makeCanceller()()
        let text = "SELECT pg_backend_pid()::bigint"
        let spoiled = try? reader.active().query(text).integer(0, 0)
        reader.finish()
        let next = try session.pool.take { connection throws(StorageError) in try connection.begin() }
        #expect(try next.query(text).integer(0, 0) != spoiled)
        session.pool.giveBack(next)
    }
}
