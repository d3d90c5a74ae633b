import CofferConformance
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferPostgreSQL

/// Reads from a replica.
// Serialized: there is one replica, and some tests stop it or pause it.
@Suite(.enabled(if: Postgres.replicaURL != nil, "\(Replica.advice)"), .serialized)
struct ReplicaTests {
    private func fixture(
        _ replicas: [String]? = nil, wait: Double = 30, pause: Double = 0, failures: Locked<[String]> = Locked([]),
        onStatement: (@Sendable (String) -> Void)? = nil
    ) throws -> PostgreSQLFixture {
        try PostgreSQLFixture(
            PostgreSQLConfiguration(
                replicas: try replicas ?? [Replica.url], replicaTimeLimit: wait, replicaPause: pause,
                onReplicaFailure: { _, error in failures.withLock { $0.append(error.message) } },
                onStatement: onStatement))
    }

    /// Returns the number of connections of a server that have read the notes.
    ///
    /// A connection locks the notes as long as its snapshot lasts.
    private func readerCount(_ fixture: PostgreSQLFixture, onReplica: Bool) throws -> Int {
        let text =
            "SELECT count(DISTINCT pid)::text FROM pg_locks "
            + "WHERE relation = to_regclass('\"\(fixture.schema)\".\"Note\"')"
        let answer = try onReplica ? Replica.run(text) : fixture.run(text)
        return answer.string(0, 0).flatMap { Int($0) } ?? -1
    }

    /// Counts the notes, and returns whether a replica was read.
    private func readsFromReplica(_ fixture: PostgreSQLFixture, count: Int) throws -> Bool {
        let reader = try fixture.store.makeReader()
        defer { reader.finish() }
        #expect(try reader.count(RowRequest(entity: 0)) == count)
        let counts = (try readerCount(fixture, onReplica: true), try readerCount(fixture, onReplica: false))
        #expect(counts == (1, 0) || counts == (0, 1))
        return counts == (1, 0)
    }

    @Test func `readers use a replica, except readers that need the newest commits`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(failures: failures)
        // On a busy machine, the store may give up the replica once. It uses the replica again later.
        let isRead = try (0..<50).contains { _ in try readsFromReplica(fixture, count: 0) }
        #expect(isRead, "\(failures.withLock(\.self))")
        let reader = try fixture.store.makeCurrentReader()
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
        #expect(try readerCount(fixture, onReplica: true) == 0)
        #expect(try readerCount(fixture, onReplica: false) == 1)
    }

    @Test func `a read after a commit waits until the replica has the commit`() throws {
        let fixture = try fixture()
        for count in 1...5 {
            try fixture.insert("\(count)")
            #expect(try readsFromReplica(fixture, count: count))
        }
    }

    @Test func `a commit requests its position and does not wait for the answer`() throws {
        let said = Locked<[String]>([])
        let fixture = try fixture(onStatement: { text in said.withLock { $0.append(text) } })
        let key = try fixture.store.reserveKeys(1, root: 0).lowerBound
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row(key, "a", 0))]
        said.withLock { $0 = [] }
        _ = try fixture.store.commit(changes)
        let statements = said.withLock(\.self)
        #expect(statements.first?.hasPrefix("INSERT INTO \"Note\"") == true)
        #expect(statements.dropFirst() == [PostgreSQLPosition.request])
    }

    @Test func `a read after a commit sees the commit while the replica is paused`() throws {
        let fixture = try fixture(wait: 0.3)
        try fixture.insert("a")
        try Replica.whileStandingStill {
            for count in 2...4 {
                try fixture.insert("\(count)")
                #expect(try !readsFromReplica(fixture, count: count))
                #expect(try !readsFromReplica(fixture, count: count))
            }
        }
        // The replica may need a moment. After a wait without success, no reader waits for the replica.
        #expect(try soon { try readsFromReplica(fixture, count: 4) })
    }

    @Test func `data seen on the primary is not missing in later reads from a replica`() throws {
        let fixture = try fixture(wait: 0.3)
        let other = try Postgres.store(fixture.schema)
        _ = try other.open(fixture.layout)
        #expect(try soon { try readsFromReplica(fixture, count: 0) })
        try Replica.whileStandingStill {
            let key = try other.reserveKeys(1, root: 0).lowerBound
            var changes = ChangeSet()
            changes.inserts = [.init(row: try fixture.row(key, "theirs", 0))]
            _ = try other.commit(changes)
            // A replica shows the commits of other stores at any later time.
            #expect(try Replica.run("SELECT count(*)::text FROM \"\(fixture.schema)\".\"Note\"").string(0, 0) == "0")
            let reader = try fixture.store.makeCurrentReader()
            #expect(try reader.count(RowRequest(entity: 0)) == 1)
            reader.finish()
            #expect(try !readsFromReplica(fixture, count: 1))
        }
        other.close()
    }

    @Test func `concurrent reads see all rows that were committed or seen before`() throws {
        let asked = Locked(0)
        let fixture = try fixture(
            [try Replica.url, try Replica.url], wait: 0.2,
            onStatement: { text in if text.contains(PostgreSQLReplay.request) { asked.withLock { $0 += 1 } } })
        let (store, committed, seen) = (fixture.store, Locked(0), Locked(0))
        let keys = try store.reserveKeys(200, root: 0)
        let changes = try keys.map { key in
            var changes = ChangeSet()
            changes.inserts = [.init(row: try fixture.row(key, "\(key)", 0))]
            return changes
        }
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            #expect(throws: Never.self) {
                for turn in 0..<25 {
                    // One of four workers writes.
                    if worker % 4 == 0 {
                        _ = try store.commit(changes[worker * 25 + turn])
                        committed.withLock { $0 += 1 }
                    }
                    let before = max(committed.withLock(\.self), seen.withLock(\.self))
                    let count = try store.read { reader throws(StorageError) in try reader.count(RowRequest(entity: 0))
                    }
                    #expect(count >= before)
                    // No later reader may miss rows that another reader has seen.
                    seen.withLock { $0 = max($0, count) }
                }
            }
        }
        #expect(asked.withLock(\.self) > 0)
        #expect(try fixture.count() == 50)
    }

    @Test func `the position that a replica may already show counts as seen`() throws {
        let fixture = try fixture()
        let replica = try PostgreSQLConnection(
            PostgreSQLAddress(Replica.url, schema: nil), PostgreSQLConfiguration())
        func replay() throws -> PostgreSQLReplay {
            try #require(PostgreSQLReplay(try replica.execute(PostgreSQLReplay.request)))
        }
        try Replica.whileStandingStill {
            try fixture.run("SELECT pg_switch_wal()")
            // The record is received but not applied.
            #expect(try soon { try replay().shown.offset == replay().applied.offset + 1 })
        }
        try fixture.insert("a")
        let position = try PostgreSQLPosition(fixture.run(PostgreSQLPosition.request))
        #expect(try soon { try replay().applied.offset >= #require(position).offset })
    }

    @Test func `a replica that has applied the whole log is read from`() throws {
        let fixture = try fixture()
        for text in ["SELECT pg_switch_wal()", "CREATE TABLE more (a integer)", "DROP TABLE more"] {
            try fixture.run(text)
            #expect(try readsFromReplica(fixture, count: 0))
        }
    }

    @Test func `an unavailable replica is used again after its return, and no read fails meanwhile`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(failures: failures)
        try fixture.insert("a")
        #expect(try soon { try readsFromReplica(fixture, count: 1) })
        #expect(failures.withLock(\.isEmpty))
        try Replica.stop()
        for count in 2...5 {
            #expect(try fixture.count() == count - 1)
            try fixture.insert("\(count)")
        }
        #expect(failures.withLock { $0.contains { $0.contains("There is no connection to") } })
        try Replica.start()
        #expect(try soon { try readsFromReplica(fixture, count: 5) })
    }

    @Test func `a failed replica is not used for a while`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(["127.0.0.1:1"], pause: 3600, failures: failures)
        for _ in 1...5 { #expect(try fixture.count() == 0) }
        #expect(failures.withLock(\.count) == 1)
    }

    @Test func `of several replicas the available ones are read from`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(["127.0.0.1:1", try Replica.url], pause: 3600, failures: failures)
        for _ in 1...5 { #expect(try readsFromReplica(fixture, count: 0)) }
        #expect(failures.withLock(\.count) == 1)
    }

    @Test func `a reader whose replica fails before the first answer continues on the primary`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(pause: 3600, failures: failures)
        let reader = try #require(fixture.store.openSession).makeReader()
        defer { reader.finish() }
        try Replica.terminate(try reader.active())
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
        #expect(try readerCount(fixture, onReplica: false) == 1)
        #expect(failures.withLock(\.count) == 1)
    }

    @Test func `a reader that prevents its replica from applying changes continues on the primary`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(pause: 3600, failures: failures)
        try fixture.insert("a")
        let reader = try #require(fixture.store.openSession).makeReader()
        defer { reader.finish() }
        #expect(try reader.active().query("SELECT pg_is_in_recovery()::text").string(0, 0) == "true")
        let other = try PostgreSQLConnection(
            PostgreSQLAddress(Replica.primaryURL, schema: fixture.schema), PostgreSQLConfiguration())
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) { _ = try? other.execute("TRUNCATE \"Note\"") }
        let answer = try reader.ask { connection throws(StorageError) in
            try connection.execute(
                "SELECT count(*)::text FROM \"Note\", (SELECT CASE WHEN pg_is_in_recovery() THEN pg_sleep(30) END) s")
        }
        #expect(answer.string(0, 0) == "0")
        #expect(failures.withLock(\.count) == 1)
    }

    @Test func `a reader whose replica fails later loses its snapshot and throws`() throws {
        let fixture = try fixture(pause: 3600)
        let reader = try #require(fixture.store.openSession).makeReader()
        defer { reader.finish() }
        #expect(try reader.count(RowRequest(entity: 0)) == 0)
        try Replica.terminate(try reader.active())
        let error = #expect(throws: StorageError.self) { try reader.count(RowRequest(entity: 0)) }
        #expect(error?.code == .unavailable)
        #expect(error?.isRetryable == true)
        try fixture.insert("a")
        #expect(try reader.count(RowRequest(entity: 0)) == 1)
    }

    @Test func `a read that is cancelled on a replica is not repeated on the primary`() throws {
        let (cancel, sleeps) = (Locked<(@Sendable () -> Void)?>(nil), Locked(0))
        let fixture = try fixture(onStatement: { cancelSleep(1, $0, sleeps, cancel) })
        let reader = try #require(fixture.store.openSession).makeReader()
        defer { reader.finish() }
        let canceller = try reader.makeCanceller()
        cancel.withLock { $0 = canceller }
        let error = #expect(throws: StorageError.self) {
            try reader.ask { connection throws(StorageError) in try connection.execute("SELECT pg_sleep(30)") }
        }
        #expect(error?.code == .busy)
        #expect(sleeps.withLock(\.self) == 1)
        #expect(try readsFromReplica(fixture, count: 0))
    }

    @Test func `a request that continues on the primary can be cancelled there`() throws {
        let (cancel, sleeps) = (Locked<(@Sendable () -> Void)?>(nil), Locked(0))
        let fixture = try fixture(pause: 3600, onStatement: { cancelSleep(2, $0, sleeps, cancel) })
        let reader = try #require(fixture.store.openSession).makeReader()
        defer { reader.finish() }
        let canceller = try reader.makeCanceller()
        cancel.withLock { $0 = canceller }
        try Replica.terminate(try reader.active())
        let error = #expect(throws: StorageError.self) {
            try reader.ask { connection throws(StorageError) in try connection.execute("SELECT pg_sleep(30)") }
        }
        #expect(error?.cause?.contains("57014") == true)
    }

    @Test func `a replica that became a primary is not read from`() throws {
        let failures = Locked<[String]>([])
        let fixture = try fixture(failures: failures)
        #expect(try readsFromReplica(fixture, count: 0))
        defer { #expect(throws: Never.self) { try Replica.restart() } }
        try Replica.run("SELECT pg_promote()")
        #expect(try !readsFromReplica(fixture, count: 0))
        #expect(failures.withLock { $0.last?.contains("no longer follows a primary") } == true)
    }

    @Test func `a server that is not a replica and a database without the store are not read from`() throws {
        let url = try #require(Postgres.url)
        let failures = Locked<[String]>([])
        let primary = try fixture([url], failures: failures)
        #expect(try !readsFromReplica(primary, count: 0))
        #expect(failures.withLock { $0.last?.contains("no longer follows a primary") } == true)
        let name = primary.schema
        try primary.run("CREATE DATABASE \"\(name)\"")
        defer { #expect(throws: Never.self) { try primary.run("DROP DATABASE \"\(name)\" WITH (FORCE)") } }
        let other = try Replica.url.replacing("/postgres", with: "/\(name)")
        let lost = try fixture([other], failures: failures)
        #expect(
            try soon { try lost.count() == 0 && failures.withLock { $0.last?.contains("has another store") } == true })
    }

    @Test(arguments: ConformanceCase.all)
    func conformance(_ it: ConformanceCase) async throws {
        try await it.run(on: ReplicatedFixture.self)
    }

    /// Cancels one of the sleeping statements by its position among them, half a second after it starts.
    private func cancelSleep(
        _ number: Int, _ text: String, _ sleeps: Locked<Int>, _ cancel: Locked<(@Sendable () -> Void)?>
    ) {
        guard text.contains("pg_sleep") else { return }
        let isIt = sleeps.withLock { sleeps in
            sleeps += 1
            return sleeps == number
        }
        guard isIt, let cancel = cancel.withLock(\.self) else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.5, execute: cancel)
    }

    /// Returns whether a condition becomes true within 30 seconds.
    private func soon(_ isSo: () throws -> Bool) throws -> Bool {
        let end = Date(timeIntervalSinceNow: 30)
        while Date() < end {
            if try isSo() { return true }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return false
    }
}

/// A fixture in a schema of its own that is read from a replica.
///
/// A commit returns after the replica has applied it.
private struct ReplicatedFixture: StorageFixture {
    static let isShared = true

    private let schema = Postgres.newSchema()

    func makeStore() throws -> any StorageInterface {
        try PostgreSQLStore(
            url: "\(try Replica.primaryURL)?options=-csynchronous_commit%3Dremote_apply", schema: schema,
            settings: PostgreSQLConfiguration(replicas: [try Replica.url]))
    }

    func destroy() { try? Postgres.store(schema).erase() }
}
