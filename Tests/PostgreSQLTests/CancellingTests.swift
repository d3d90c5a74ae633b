import Coffer
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

/// Statements that another thread cancels.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct CancellingTests {
    @Test func `a cancelled statement ends at once, and its reader can be used again`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        let session = try #require(fixture.store.openSession)
        let reader = session.makeReader()
        defer { reader.finish() }
        let cancel = try reader.makeCanceller()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2, execute: cancel)
        let start = Date()
        let error = #expect(throws: StorageError.self) { try reader.active().execute("SELECT pg_sleep(30)") }
        #expect(error?.code == .busy)
        #expect(Date().timeIntervalSince(start) < 20)
        #expect(try reader.count(RowRequest(entity: 0)) == 1)
    }

    @Test func `a connection whose statement was cancelled is not reused`() throws {
        let fixture = try PostgreSQLFixture()
        let session = try #require(fixture.store.openSession)
        let reader = session.makeReader()
        try reader.makeCanceller()()
        let text = "SELECT pg_backend_pid()::bigint"
        let spoiled = try? reader.active().query(text).integer(0, 0)
        reader.finish()
        let next = try session.servers.primary.take { connection throws(StorageError) in try connection.begin() }
        #expect(try next.query(text).integer(0, 0) != spoiled)
        session.servers.primary.giveBack(next)
    }

    @MainActor
    @Test(.pins("TX-11"), arguments: [false, true])
    func `cancelling a task cancels its running statement`(_ writes: Bool) async throws {
        let place = Postgres.newSchema()
        // Only cancelling ends a statement.
        let settings = PostgreSQLConfiguration(busyTimeLimit: 100_000, statementTimeLimit: 100_000)
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")]))
        try stack.addStorageAndWait(Postgres.store(place, settings: settings))
        let holder = try PostgreSQLConnection(PostgreSQLAddress(Postgres.url ?? "", schema: place), settings)
        try holder.begin()
        try holder.execute("LOCK TABLE \"Note\" IN ACCESS EXCLUSIVE MODE")
        let ended = DispatchSemaphore(value: 0)
        let task = Task.detached {
            if writes {
                return try await stack.async.perform(TransactionOptions(isolation: .serializable)) { transaction in
                    defer { ended.signal() }
                    return try transaction.fetchCount(From<Note>())
                }
            }
            return try await stack.async.read { reading in
                defer { ended.signal() }
                return try reading.fetchCount(From<Note>())
            }
        }
        let hasEnded = await onThread {
            let waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '\"Note\"'::regclass"
            // The statement may begin late on a busy machine.
            for _ in 0..<60_000 {
                if let found = try? holder.execute(waiting), found.rowCount > 0 { break }
                Thread.sleep(forTimeInterval: 0.01)
            }
            task.cancel()
            defer { holder.rollBack() }
            return ended.wait(timeout: .now() + 600) == .success
        }
        #expect(hasEnded)
        await #expect(throws: CoreStoreError.userCancelled) { try await task.value }
        #expect(try stack.fetchCount(From<Note>()) == 0)
        stack.unsafeRemoveAllPersistentStoresAndWait()
        try Postgres.store(place).erase()
    }

    /// Runs a closure on a thread of its own, which may wait.
    @MainActor
    private func onThread(_ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}
