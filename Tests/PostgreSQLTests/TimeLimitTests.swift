import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Operations on a whole store, which take longer than a request may.
@Suite(.enabled(if: Postgres.url != nil, "\(Postgres.advice)"))
struct TimeLimitTests {
    private static let limit = 2.0

    private static func pause() { Thread.sleep(forTimeInterval: limit + 1) }

    /// Returns a store with short time limits, whose first lock another connection has for longer than these limits.
    private func hinderedStore(_ schema: String) throws -> PostgreSQLStore {
        let address = try PostgreSQLAddress(Postgres.url ?? "", schema: schema)
        let holder = try PostgreSQLConnection(address, PostgreSQLConfiguration())
        try holder.begin()
        try PostgreSQLDatabase(address: address, options: PostgreSQLConfiguration()).lock(holder)
        let asked = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = asked.wait(timeout: .now() + 60)
            Self.pause()
            holder.rollBack()
        }
        return try Postgres.store(
            schema,
            settings: PostgreSQLConfiguration(
                busyTimeLimit: 60, statementTimeLimit: Self.limit, idleTimeLimit: Self.limit,
                onStatement: { if $0.contains("pg_advisory_xact_lock") { asked.signal() } }))
    }

    @Test func `loading has no time limit`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.store.erase()
        let row = try fixture.row(1, "a", 0)
        try hinderedStore(fixture.schema).load(fixture.layout, as: UUID()) { loader throws(StorageError) in
            Self.pause()
            try loader.add([row])
        } verifying: { _ in
        }
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.count() == 1)
    }

    @Test func `migrating has no time limit`() throws {
        let fixture = try PostgreSQLFixture()
        try fixture.insert("a")
        fixture.store.close()
        var next = fixture.layout.model
        next.version = "V2"
        next.entities[0].attributes.removeLast()
        let plan = MigrationPlan.inferred(from: fixture.layout.model, to: next)
        var reports = 0
        let metadata = try hinderedStore(fixture.schema).migrate([plan]) { _ in
            if reports == 0 { Self.pause() }
            reports += 1
        }
        #expect(reports > 0)
        #expect(metadata.model == next)
    }
}
