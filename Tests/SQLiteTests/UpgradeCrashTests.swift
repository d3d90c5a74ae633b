import CofferStorage
import CofferStorageTools
import CrashProbe
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The content of a file of an older format after the process that opens it is killed.
struct UpgradeCrashTests {
    private static let eventCount = 30_000

    /// Creates an old file with many events.
    ///
    /// The key of an event is the number of microseconds between a fixed date and the start of the event.
    private static func make(_ file: URL) throws {
        let connection = try SQLiteConnection(
            path: file.path(percentEncoded: false), access: .write(creates: true),
            options: SQLiteConfiguration())
        for statement in OldFormat.sqlite { try connection.execute(statement) }
        try connection.execute("DELETE FROM \"Event\"")
        try connection.execute("UPDATE coffer_keys SET next = \(eventCount + 1) WHERE root = 'Event'")
        try connection.execute(
            """
            WITH RECURSIVE n (key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n WHERE key < \(eventCount)) \
            INSERT INTO "Event" SELECT key, 1, 'Event', 'event ' || key, NULL, 785000000000000 + key, \
            CASE WHEN key % 3 = 0 THEN NULL ELSE -key END, NULL, NULL FROM n
            """)
    }

    /// Returns the problems of the dates in a file of either format.
    private static func problems(_ file: URL) throws -> [String] {
        let (store, layout) = try OldFile.store(file, SQLiteConfiguration(isReadOnly: true))
        _ = try store.open(layout)
        defer { store.close() }
        let event = layout.entities[layout.index(of: "Event") ?? 0]
        let (start, end) = (event.slot(named: "start") ?? 0, event.slot(named: "end") ?? 0)
        var problems = try store.problems(layout).map { "\($0)" }
        let rows = try store.read { reader throws(StorageError) in try reader.rows(RowRequest(entity: event.index)) }
        if rows.count != eventCount { problems.append("There are \(rows.count) events.") }
        for row in rows {
            let isSame =
                row.double(start) == Double(785_000_000_000_000 + row.key) / 1_000_000
                && row.isNull(end) == (row.key % 3 == 0)
                && (row.isNull(end) || row.double(end) == Double(-row.key) / 1_000_000)
            if !isSame { problems.append("The dates of event \(row.key) have changed.") }
        }
        return problems
    }

    private static func format(_ file: URL) throws -> String? {
        let connection = try SQLiteConnection(
            path: file.path(percentEncoded: false), access: .read, options: SQLiteConfiguration())
        return try connection.text("SELECT value FROM coffer_metadata WHERE name = 'format'")
    }

    @Test func `a killed upgrade leaves the old file or the new one`() throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["COFFER_CRASHES"].flatMap { Int($0) } ?? 20
        let seed = environment["COFFER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        var generator = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let original = directory.appending(path: "original.sqlite")
        try Self.make(original)
        #expect(try Self.problems(original) == [])

        // The duration of an upgrade here determines the delays, so that the kills cover the whole upgrade. The start
        // of the other process takes time, too.
        let timed = directory.appending(path: "timed.sqlite")
        try FileManager.default.copyItem(at: original, to: timed)
        let start = ContinuousClock.now
        try OldFile.open(timed)
        let duration = start.duration(to: .now) / .microseconds(1)
        #expect(try Self.problems(timed) == [])

        var formats: [String: Int] = [:]
        for round in 1...rounds {
            let file = directory.appending(path: "round-\(round).sqlite")
            try FileManager.default.copyItem(at: original, to: file)
            let delay = UInt32.random(in: 0...UInt32(duration * 4), using: &generator)
            let note = Comment(rawValue: "round \(round) of \(rounds), after \(delay) µs, COFFER_SEED=\(seed)")
            let acknowledged = try CrashingProcess.acknowledged(file, .opening, delay, ["upgrade"])
            let format = try #require(try Self.format(file), note)
            formats[format, default: 0] += 1
            if acknowledged != nil { #expect(format == "2", note) }
            #expect(try Self.problems(file) == [], note)
            try OldFile.open(file)
            #expect(try Self.format(file) == "2", note)
            #expect(try Self.problems(file) == [], note)
        }
        print("\(rounds) kills of an upgrade of \(Int(duration)) µs left \(formats), seed \(seed)")
    }

    @Test func `processes that open an old file at once all use it`() async throws {
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "old.sqlite")
        try Self.make(file)
        let acknowledged = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<3 { group.addTask { try await Self.openElsewhere(file) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(acknowledged == [0, 0, 0])
        #expect(try Self.format(file) == "2")
        #expect(try Self.problems(file) == [])
    }

    /// Opens the file in another process, which prints 0 after it has opened the file.
    private static func openElsewhere(_ file: URL) async throws -> Int? {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result { try CrashingProcess.acknowledged(file, .committing, 0, ["upgrade"]) })
            }
        }
    }
}
