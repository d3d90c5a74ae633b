import CrashProbe
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The content of a file after the process that writes it is killed.
struct CrashTests {
    @Test func `after a process is killed, the store has a prefix of its commits`() throws {
        let environment = ProcessInfo.processInfo.environment
        let rounds = environment["COFFER_CRASHES"].flatMap { Int($0) } ?? 60
        let seed = environment["COFFER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0..<1_000_000)
        var generator = SeededGenerator(seed: seed)
        var counts: [CrashingProcess.Moment: Int] = [:]
        var commits = 0
        var unacknowledged = 0
        let directory = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "ledger.sqlite")
        var known = LedgerContent()

        for round in 1...rounds {
            let moment = round == 1 ? .committing : Self.moment(&generator)
            let delay = UInt32.random(in: 0...(moment == .writing ? 200 : 30_000), using: &generator)
            let note = Comment(rawValue: "round \(round) of \(rounds), \(moment), COFFER_SEED=\(seed)")
            let isNew = moment == .creating
            let place = isNew ? directory.appending(path: "new-\(round).sqlite") : file
            var content = isNew ? LedgerContent() : known
            let acknowledged = try CrashingProcess.acknowledged(place, moment, delay)
            while content.count < acknowledged ?? 0 { content.advance() }

            // If a copy is read, the next process recovers the file itself.
            let isCopied = !isNew && Bool.random(using: &generator)
            let found = try Self.look(isCopied ? Self.copy(place, to: directory.appending(path: "copy")) : place, note)
            if found.count == content.count + 1 {
                content.advance()
                unacknowledged += 1
            }
            #expect(found.count == content.count, note)
            try #require(found == content, note)
            commits += content.count - (isNew ? 0 : known.count)
            counts[moment, default: 0] += 1
            if !isNew { known = content }
        }
        let kinds = CrashingProcess.Moment.allCases.map { "\(counts[$0] ?? 0) while \($0)" }.joined(separator: ", ")
        print("\(rounds) kills (\(kinds)), \(commits) commits, \(unacknowledged) of them unacknowledged, seed \(seed)")
    }

    private static func moment(_ generator: inout SeededGenerator) -> CrashingProcess.Moment {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0...2: .committing
        case 3...6: .writing
        case 7...8: .opening
        default: .creating
        }
    }

    /// Opens a file, checks that it is intact, and reads all of it.
    private static func look(_ file: URL, _ note: Comment) throws -> LedgerContent {
        let ledger = try Ledger(fileURL: file)
        defer { ledger.close() }
        let connection = try SQLiteConnection(
            path: file.path(percentEncoded: false), access: .read, options: SQLiteConfiguration()
        )
        #expect(try connection.text("PRAGMA integrity_check") == "ok", note)
        #expect(try connection.text("PRAGMA foreign_key_check") == nil, note)
        return try LedgerContent(ledger)
    }

    /// Copies a file and its log, as they are, to a directory.
    private static func copy(_ file: URL, to directory: URL) throws -> URL {
        try? FileManager.default.removeItem(at: directory)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let path = file.path(percentEncoded: false)
        let copy = directory.appending(path: file.lastPathComponent)
        for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + suffix) {
            let target = copy.path(percentEncoded: false) + suffix
            try FileManager.default.copyItem(atPath: path + suffix, toPath: target)
        }
        return copy
    }
}
