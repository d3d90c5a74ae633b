import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

/// The files of a store before and after it is erased or finalised.
struct SQLiteErasingTests {
    private func files(_ fixture: SQLiteFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).sorted()
    }

    @Test(.pins("STO-06")) func `erasing removes the file, its log and its index, with or without a model`() throws {
        for isModelKnown in [true, false] {
            let fixture = try SQLiteFixture()
            try fixture.insert(fixture.row("Person", 1))
            #expect(try files(fixture) == ["zoo.sqlite", "zoo.sqlite-shm", "zoo.sqlite-wal"])
            fixture.store.close()
            // A process that ends in the middle leaves a log and its index.
            for suffix in ["-wal", "-shm"] {
                try Data().write(to: URL(fileURLWithPath: fixture.fileURL.path() + suffix))
            }
            let store = isModelKnown ? fixture.store : SQLiteStore(fileURL: fixture.fileURL)
            try store.erase()
            #expect(try files(fixture) == [])
            #expect(try store.inspect() == nil)
            // Erasing a missing store does nothing.
            try store.erase()
        }
    }

    @Test(.pins("STO-06")) func `a finalised store has a rollback journal and no index file`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        try fixture.store.cs_finalizeStorageAndWait()
        #expect(try files(fixture) == ["zoo.sqlite"])
        // Bytes 18 and 19 of the header are 1 for a rollback journal and 2 for a write-ahead log.
        let header = try Data(contentsOf: fixture.fileURL).prefix(20)
        #expect([header[18], header[19]] == [1, 1])
    }

    /// The content that another process writes into the empty file that a store has just created.
    private enum Content: CaseIterable {
        case nothing
        /// A database of another program.
        case foreign
        /// A store that cannot be read.
        case unreadable
        case store
    }

    @Test(arguments: Content.allCases)
    private func `a failed open removes the file that it created only if the file is empty`(
        _ content: Content
    ) throws {
        let fixture = try SQLiteFixture()
        fixture.store.close()
        try fixture.store.erase()
        let file = SQLiteFile(path: fixture.fileURL.path(percentEncoded: false), options: SQLiteConfiguration())
        let made = try #require(file.makeEmpty())
        switch content {
        case .nothing: break
        case .foreign: try SQLiteFixture.execute("CREATE TABLE Song (title TEXT)", in: fixture.fileURL)
        case .unreadable, .store:
            _ = try fixture.store.open(fixture.layout)
            try fixture.insert(fixture.row("Person", 1))
            fixture.store.close()
        }
        if content == .unreadable { try SQLiteFixture.execute("DROP TABLE coffer_metadata", in: fixture.fileURL) }
        file.remove(try #require(try file.connection(.write(creates: true))), ifStill: made)
        #expect((SQLitePlace(file.path) == made) == (content != .nothing))
        guard content == .store else { return }
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.keys("Person", .constant(true)) == [1])
    }

    /// A new file often gets the inode of the removed one.
    @Test func `a file that is repeatedly removed and recreated can be opened or is missing`() throws {
        let fixture = try SQLiteFixture()
        fixture.store.close()
        try fixture.store.erase()
        let path = fixture.fileURL.path(percentEncoded: false)
        let isDone = Guarded(false)
        let hasEnded = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                close(open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644))
                unlink(path)
            }
            hasEnded.signal()
        }
        defer {
            isDone.withLock { $0 = true }
            hasEnded.wait()
        }
        let file = SQLiteFile(path: path, options: SQLiteConfiguration())
        for _ in 0..<20_000 { _ = try file.connection(.write(creates: false)) }
    }

    @Test func `a path that cannot be opened throws without waiting`() throws {
        let fixture = try SQLiteFixture()
        let file = SQLiteFile(
            path: fixture.directory.path(percentEncoded: false), options: SQLiteConfiguration(busyTimeLimit: 3600))
        let error = #expect(throws: StorageError.self) { try file.connection(.write(creates: false)) }
        #expect(error?.code == .unavailable)
    }
}
