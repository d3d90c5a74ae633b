import CofferCSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The error of a commit whose writes fail, and the content of the file after it.
struct SQLiteOutcomeTests {
    enum Change: CaseIterable, Sendable {
        case insert, update, delete, link
    }

    @Test(arguments: FaultyLog.Fault.allCases, Change.allCases)
    func `a commit reported as not saved never reappears, and a commit reported as saved is found`(
        _ fault: FaultyLog.Fault, _ change: Change
    ) throws {
        var failures = 0
        for isForGood in [false, true] {
            for count in 0..<12 {
                let fixture = try SQLiteFixture(opens: false)
                let code = try attempt(fixture, fault, change, after: count, isForGood: isForGood)
                if code != nil { failures += 1 }
            }
        }
        #expect(failures > 1)
    }

    @Test func `a file that cannot use a write-ahead log throws`() throws {
        let fixture = try SQLiteFixture(opens: false)
        let connection = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: true), options: SQLiteConfiguration())
        let faulty = try FaultyLog(connection, pointer: SQLITE_FCNTL_FILE_POINTER)
        faulty.fail(.write, after: 0, isForGood: false)
        #expect { try connection.switchToWAL(timeLimit: 1) } throws: {
            ($0 as? StorageError)?.code == .unavailable
        }
        faulty.end()
        // There was only one failure: the next attempt succeeds.
        #expect(try connection.switchToWAL(timeLimit: 1))
        #expect(try connection.text("PRAGMA journal_mode") == "wal")
    }

    @Test func `a file on a file system without shared memory is refused`() throws {
        let fixture = try SQLiteFixture(opens: false)
        let connection = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .write(creates: true), options: SQLiteConfiguration())
        let faulty = try FaultyLog(connection, pointer: SQLITE_FCNTL_FILE_POINTER, sharesMemory: false)
        defer { faulty.end() }
        let error = #expect(throws: StorageError.self) { try connection.switchToWAL(timeLimit: 1) }
        #expect(
            error?.description == """
                unavailable: '\(fixture.fileURL.path)' cannot use a write-ahead log: its journal mode stays 'delete'. \
                Move the file to a local disk, and open it again.
                """)
    }

    private func attempt(
        _ fixture: SQLiteFixture, _ fault: FaultyLog.Fault, _ change: Change, after count: Int, isForGood: Bool
    ) throws -> StorageError.Code? {
        let note = Comment(rawValue: "\(fault) \(count) \(isForGood ? "for good" : "once"), \(change)")
        let configuration = SQLiteConfiguration(synchronous: .full)
        let file = SQLiteFile(path: fixture.fileURL.path(), options: configuration)
        let session = SQLiteSession(try file.open(fixture.layout), configuration)
        defer { session.close() }
        func commit(_ changes: ChangeSet) throws {
            _ = try session.write { writer throws(StorageError) in try writer.commit(changes) }
        }
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row("Person", 1)), .init(row: try fixture.row("Club", 1))]
        try commit(changes)

        var faulty: FaultyLog?
        try session.write { writer throws(StorageError) in faulty = try? FaultyLog(writer.connection) }
        let log = try #require(faulty)
        log.fail(fault, after: count, isForGood: isForGood)
        var failure: StorageError?
        do { try commit(try Self.changes(change, fixture)) } catch let error as StorageError { failure = error }
        // The copy has the state that a process finds after a crash.
        let recovered = try Self.isMade(change, fixture, Self.copy(fixture))
        if failure == nil { #expect(recovered, note) }
        if let failure, failure.code != .unknownOutcome { #expect(!recovered, "\(note): \(failure)") }

        log.end()
        let isMade = try Self.isMade(change, fixture, fixture.fileURL)
        if failure == nil { #expect(isMade, note) }
        if let failure, failure.code != .unknownOutcome { #expect(!isMade, note) }
        changes.inserts = [.init(row: try fixture.row("Person", 3))]
        try commit(changes)
        return failure?.code
    }

    private static func changes(_ change: Change, _ fixture: SQLiteFixture) throws -> ChangeSet {
        var changes = ChangeSet()
        switch change {
        case .insert: changes.inserts = [.init(row: try fixture.row("Person", 2))]
        case .update: changes.updates = [fixture.update(try fixture.row("Person", 1, ["age": .integer(7)]), "age")]
        case .delete: changes.deletes = [.init(entity: fixture.entity("Person"), key: 1)]
        case .link:
            let table = try #require(
                fixture.layout.linkTables.first { table in
                    fixture.layout.relationships[table.first].name == "clubs"
                        || fixture.layout.relationships[table.second].name == "clubs"
                })
            changes.links = [.init(table: table.index, first: 1, second: 1)]
        }
        return changes
    }

    private static func isMade(_ change: Change, _ fixture: SQLiteFixture, _ file: URL) throws -> Bool {
        let store = SQLiteStore(fileURL: file)
        _ = try store.open(fixture.layout)
        defer { store.close() }
        return try store.read { reader throws(StorageError) in
            let person = fixture.entity("Person")
            let row = try reader.row(root: person, key: 1)
            return switch change {
            case .insert: try reader.row(root: person, key: 2) != nil
            case .update: fixture.value(row, "age") == .integer(7)
            case .delete: row == nil
            case .link: try reader.related(fixture.relationship("Person", "clubs"), of: [1]).first?.rows.count == 1
            }
        }
    }

    /// Copies the file and its log, as they are.
    private static func copy(_ fixture: SQLiteFixture) throws -> URL {
        let directory = fixture.directory.appending(path: "copy")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for name in ["zoo.sqlite", "zoo.sqlite-wal"] {
            try FileManager.default.copyItem(
                at: fixture.directory.appending(path: name), to: directory.appending(path: name))
        }
        return directory.appending(path: "zoo.sqlite")
    }

    @Test func `a commit that the file neither confirms nor denies has an unknown outcome`() throws {
        let fixture = try SQLiteFixture(opens: false)
        #expect(try attempt(fixture, .sync, .link, after: 0, isForGood: false) == .unknownOutcome)
    }
}
