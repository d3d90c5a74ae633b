import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// Files that are erased, deleted, renamed, replaced or linked while stores have them open.
struct SQLitePlaceTests {
    private func message(_ body: () throws -> Void) -> String? {
        (#expect(throws: StorageError.self) { try body() })?.description
    }

    private func other(_ fixture: SQLiteFixture, _ name: String = "zoo.sqlite") -> SQLiteStore {
        SQLiteStore(
            fileURL: fixture.directory.appending(path: name), settings: SQLiteConfiguration(busyTimeLimit: 0.01))
    }

    private func files(_ fixture: SQLiteFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).sorted()
    }

    private func move(_ fixture: SQLiteFixture, _ from: String, _ to: String) throws {
        try FileManager.default.moveItem(
            at: fixture.directory.appending(path: from), to: fixture.directory.appending(path: to))
    }

    @Test func `a file that is open elsewhere is not erased`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        let error = #expect(throws: StorageError.self) { try other(fixture).erase() }
        #expect(
            error?.description
                == "busy: '\(fixture.fileURL.path)' is open elsewhere. Close it there before it is erased.")
        #expect(error?.isRetryable == true)
        try fixture.insert(fixture.row("Person", 2))
        fixture.store.close()
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [1, 2])
        fixture.store.close()
        try other(fixture).erase()
        #expect(try files(fixture).isEmpty)
    }

    @Test func `a file that a reader of the store is reading is not erased`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(busyTimeLimit: 0.01))
        try fixture.insert(fixture.row("Person", 1))
        let reader = try fixture.store.makeReader()
        #expect(try reader.count(RowRequest(entity: fixture.entity("Person"))) == 1)
        #expect(throws: StorageError.self) { try fixture.store.erase() }
        #expect(try reader.row(root: fixture.entity("Person"), key: 1) != nil)
        reader.finish()
        try fixture.store.erase()
        #expect(try files(fixture).isEmpty)
    }

    @Test func `foreign files, damaged files and leftover files are erased`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        fixture.store.close()
        for content in [Data(), Data("no database".utf8), try Data(contentsOf: fixture.fileURL).prefix(5_000)] {
            try content.write(to: fixture.fileURL)
            try other(fixture).erase()
            #expect(try files(fixture).isEmpty)
        }
        try Data("left over".utf8).write(to: fixture.directory.appending(path: "zoo.sqlite-wal"))
        try other(fixture).erase()
        #expect(try files(fixture).isEmpty)
    }

    @Test func `a store is erased through a symbolic link, and the link is not removed`() throws {
        let fixture = try SQLiteFixture()
        let link = fixture.directory.appending(path: "link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: fixture.fileURL)
        #expect(
            message { try other(fixture, "link.sqlite").erase() }
                == "busy: '\(link.path)' is open elsewhere. Close it there before it is erased.")
        fixture.store.close()
        try other(fixture, "link.sqlite").erase()
        #expect(try files(fixture) == ["link.sqlite"])
        let store = other(fixture, "link.sqlite")
        _ = try store.open(fixture.layout)
        store.close()
        #expect(try files(fixture) == ["link.sqlite", "zoo.sqlite"])
    }

    @Test func `nothing is saved to a file that was deleted or renamed`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        try move(fixture, "zoo.sqlite", "away.sqlite")
        let expected = """
            unavailable: '\(fixture.fileURL.path)' was deleted or renamed while it was open. Nothing can be saved. \
            Put the file back, or close the store and open it again.
            """
        #expect(message { try fixture.insert(fixture.row("Person", 2)) } == expected)
        #expect(message { _ = try fixture.store.reserveKeys(1, root: fixture.entity("Person")) } == expected)
        #expect(message { _ = try fixture.keys("Person", .constant(true)) } == expected)
        try move(fixture, "away.sqlite", "zoo.sqlite")
        try fixture.insert(fixture.row("Person", 3))
        #expect(try fixture.keys("Person", .constant(true)) == [1, 3])
        try FileManager.default.removeItem(at: fixture.fileURL)
        #expect(message { try fixture.insert(fixture.row("Person", 4)) } == expected)
    }

    @Test func `nothing is saved to a file that was replaced, and the replacement is not changed`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        for file in try files(fixture) { try move(fixture, file, "away-" + file) }
        let store = other(fixture)
        _ = try store.open(fixture.layout)
        #expect(try store.commit(changes(fixture, 7)).merges.isEmpty)
        let expected = """
            unavailable: '\(fixture.fileURL.path)' was replaced by another file while it was open. Nothing can be \
            saved. Put the file back, or close the store and open it again.
            """
        #expect(message { try fixture.insert(fixture.row("Person", 2)) } == expected)
        #expect(message { _ = try fixture.keys("Person", .constant(true)) } == expected)
        // Closing the old store does not delete the log of the new one.
        fixture.store.close()
        #expect(
            try files(fixture).filter { $0.hasPrefix("zoo") } == ["zoo.sqlite", "zoo.sqlite-shm", "zoo.sqlite-wal"])
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [7])
    }

    @Test func `nothing is saved to a log that was deleted`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        try FileManager.default.removeItem(at: fixture.directory.appending(path: "zoo.sqlite-wal"))
        #expect(
            message { try fixture.insert(fixture.row("Person", 2)) } == """
                unavailable: '\(fixture.fileURL.path)-wal' was deleted or replaced while the store was open. Nothing \
                can be saved. Close the store in all processes, and open it again.
                """)
        // The acknowledged commit is in the file after the store is closed.
        fixture.store.close()
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [1])
    }

    @Test(arguments: [true, false])
    func `nothing is saved after the index of the log was deleted or replaced`(_ isReplaced: Bool) throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        let index = fixture.directory.appending(path: "zoo.sqlite-shm")
        let content = try Data(contentsOf: index)
        try FileManager.default.removeItem(at: index)
        if isReplaced { try content.write(to: index) }
        let expected = """
            unavailable: '\(fixture.fileURL.path)-shm' was deleted or replaced while the store was open. Nothing can \
            be saved. Close the store in all processes, and open it again.
            """
        #expect(message { try fixture.insert(fixture.row("Person", 2)) } == expected)
        #expect(message { _ = try fixture.store.reserveKeys(1, root: fixture.entity("Person")) } == expected)
        // The acknowledged commit is in the file after the store is closed.
        fixture.store.close()
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [1])
        try fixture.insert(fixture.row("Person", 3))
        #expect(try fixture.keys("Person", .constant(true)) == [1, 3])
    }

    @Test func `a file with a second hard link is refused`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        let link = fixture.directory.appending(path: "link.sqlite")
        try FileManager.default.linkItem(at: fixture.fileURL, to: link)
        let expected = """
            unavailable: '\(link.path)' is one of 2 names (hard links) of the same file. SQLite uses another log for \
            each name, so changes would be lost. Remove the other names, or copy the file.
            """
        let store = other(fixture, "link.sqlite")
        #expect(message { _ = try store.open(fixture.layout) } == expected)
        #expect(message { try store.erase() } == expected)
        #expect(message { try store.cs_finalizeStorageAndWait() } == expected)
        fixture.store.close()
        #expect(message { _ = try store.open(fixture.layout) } == expected)
        try FileManager.default.removeItem(at: link)
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [1])
    }

    @Test func `an existing file is kept when opening fails`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(maximumPageCount: 3), opens: false)
        try Data().write(to: fixture.fileURL)
        #expect(throws: StorageError.self) { try fixture.store.open(fixture.layout) }
        #expect(try files(fixture).contains("zoo.sqlite"))
    }

    private func changes(_ fixture: SQLiteFixture, _ key: Int64) throws -> ChangeSet {
        var changes = ChangeSet()
        changes.inserts = [.init(row: try fixture.row("Person", key))]
        return changes
    }

    /// SQLite finds a journal by its name only.
    @Test func `a connection to a removed file does not delete the journal of its replacement`() throws {
        let fixture = try SQLiteFixture(opens: false)
        let path = fixture.fileURL.path()
        let access = SQLiteConnection.Access.write(creates: true)
        let old = try SQLiteConnection(path: path, access: access, options: SQLiteConfiguration())
        #expect(unlink(path) == 0)
        let new = try SQLiteConnection(path: path, access: access, options: SQLiteConfiguration())
        try new.execute("BEGIN IMMEDIATE")
        try new.execute("CREATE TABLE t (a)")
        #expect(SQLitePlace(path + "-journal") != nil)
        for statement in ["BEGIN IMMEDIATE", "PRAGMA cache_size = -1000"] {
            #expect { try old.executeInPlace(statement) } throws: { ($0 as? StorageError)?.code == .busy }
            #expect(SQLitePlace(path + "-journal") != nil)
        }
        try new.execute("COMMIT")
    }
}
