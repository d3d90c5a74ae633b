import CrashProbe
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The content of a file after the process that migrates it is killed.
struct MigrationCrashTests {
    @Test(.pins("MIG-17")) func `a killed migration leaves the old file or the new one`() throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["COFFER_CRASHES"].flatMap { Int($0) } ?? 30
        let seed = environment["COFFER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        var generator = SeededGenerator(seed: seed)
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let original = directory.appending(path: "original.sqlite")
        try Archive.make(original)
        let expected = try Archive.content(of: original)
        #expect(expected.count == Archive.folderCount)

        // The duration of a migration here determines the delays, so that the kills cover the whole migration.
        let timed = try Self.copy(original, to: directory.appending(path: "timed.sqlite"))
        let start = ContinuousClock.now
        try Archive.migrate(timed)
        let duration = start.duration(to: .now) / .microseconds(1)
        #expect(try Archive.content(of: timed) == expected)

        var versions: [String: Int] = [:]
        for round in 1...rounds {
            let file = try Self.copy(original, to: directory.appending(path: "round-\(round).sqlite"))
            let delay = UInt32.random(in: 0...UInt32(duration * 1.5), using: &generator)
            let note = Comment(rawValue: "round \(round) of \(rounds), after \(delay) µs, COFFER_SEED=\(seed)")
            let acknowledged = try CrashingProcess.acknowledged(file, .opening, delay, ["migrate"])
            let version = try #require(try Archive.version(of: file), note)
            versions[version, default: 0] += 1
            if acknowledged != nil { #expect(version == "V2", note) }
            #expect(try Archive.content(of: file) == expected, note)
            if version == "V1" { try Archive.migrate(file) }
            try Self.check(file, expected, note)
        }
        print("\(rounds) kills of a migration of \(Int(duration)) µs left \(versions), seed \(seed)")
    }

    /// Checks that the migrated file is complete and contains nothing temporary of the migration.
    private static func check(_ file: URL, _ expected: [String: [String]], _ note: Comment) throws {
        #expect(try Archive.content(of: file) == expected, note)
        let connection = try SQLiteConnection(
            path: file.path(percentEncoded: false), access: .read, options: SQLiteConfiguration()
        )
        #expect(try connection.text("PRAGMA integrity_check") == "ok", note)
        #expect(
            try connection.text("SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'coffer_aside%'") == "0", note)
        #expect(try connection.text("SELECT value FROM coffer_metadata WHERE name = 'format'") == "2", note)
    }

    private static func copy(_ file: URL, to place: URL) throws -> URL {
        try FileManager.default.copyItem(at: file, to: place)
        return place
    }
}
