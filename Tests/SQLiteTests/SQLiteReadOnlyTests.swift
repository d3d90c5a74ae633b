import CofferSQLite
import CofferStorage
import CofferStorageTools
import Foundation
import TestSupport
import Testing

/// Read-only stores create and change nothing, not even beside their files.
final class SQLiteReadOnlyTests {
    private let fixture: SQLiteFixture
    private let store: SQLiteStore

    /// Creates a closed store with one club.
    init() throws {
        fixture = try SQLiteFixture()
        store = SQLiteStore(fileURL: fixture.fileURL, settings: SQLiteConfiguration(isReadOnly: true))
        try insert()
        fixture.store.close()
    }

    deinit { store.close() }

    private func insert() throws {
        let entity = fixture.entity("Club")
        let kinds = fixture.layout.entities[entity].kinds
        let key = try fixture.store.reserveKeys(1, root: entity).lowerBound
        var changes = ChangeSet()
        let row = Row.make(
            entity: entity, key: key, version: 1, values: kinds.map { $0 == .text ? .text("\(key)") : .null },
            kinds: kinds)
        changes.inserts = [.init(row: try #require(row))]
        _ = try fixture.store.commit(changes)
    }

    private func files() throws -> [String: Data] {
        let path = fixture.directory.path(percentEncoded: false)
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: fixture.directory.appending(path: $0))) })
    }

    private func count() throws -> Int {
        let request = RowRequest(entity: fixture.entity("Club"))
        return try store.read { reader throws(StorageError) in try reader.count(request) }
    }

    private func code(_ body: () throws -> Void) -> StorageError.Code? {
        #expect(throws: StorageError.self) { try body() }?.code
    }

    @Test func `reading, checking and copying do not change the directory`() throws {
        let before = try files()
        #expect(before.count == 1)
        #expect(try store.open(fixture.layout) == store.inspect())
        #expect(try count() == 1)
        #expect(try store.problems(fixture.layout) == [])
        let copied = SQLiteStore(fileURL: try TemporaryDirectory.make().appending(path: "copy.sqlite"))
        #expect(try store.copy(fixture.layout, to: copied).rowCount == 1)
        _ = try copied.open(fixture.layout)
        #expect(try copied.reserveKeys(1, root: fixture.entity("Club")) == 2..<3)
        try copied.erase()
        #expect(try files() == before)
    }

    @Test func `every operation that would change a read-only store is refused`() throws {
        _ = try store.open(fixture.layout)
        let before = try files()
        #expect(code { _ = try self.store.reserveKeys(1, root: 0) } == .readOnly)
        #expect(code { _ = try self.store.commit(ChangeSet()) } == .readOnly)
        #expect(code { try self.store.erase() } == .readOnly)
        #expect(code { try self.store.cs_finalizeStorageAndWait() } == .readOnly)
        store.close()
        #expect(code { try self.store.load(self.fixture.layout, as: UUID()) { _ in } } == .readOnly)
        #expect(code { _ = try self.store.migrate([]) { _ in } } == .readOnly)
        #expect(try files() == before)
    }

    @Test func `a missing read-only store is not created, and a store of another model is not changed`() throws {
        let nowhere = fixture.directory.appending(path: "nowhere/zoo.sqlite")
        let none = SQLiteStore(fileURL: nowhere, settings: SQLiteConfiguration(isReadOnly: true))
        let error = #expect(throws: StorageError.self) { try none.open(self.fixture.layout) }
        #expect(
            error?.description
                == "unavailable: There is no file '\(nowhere.path(percentEncoded: false))', and a read-only store is "
                + "not created. Check the path, or open the store once for writing.")
        #expect(try files().count == 1)
        let other = try ModelLayout(StoreModel(version: "V9", entities: [EntityDescription(name: "Other")]))
        #expect(code { _ = try self.store.open(other) } == .schemaMismatch)
    }

    @Test func `a file that another store has open can be read`() throws {
        _ = try fixture.store.open(fixture.layout)
        try insert()
        _ = try store.open(fixture.layout)
        #expect(try count() == 2)
        try insert()
        #expect(try count() == 3)
        fixture.store.close()
    }

    @Test func `a file that is written during reading is busy, and can be read after reopening`() throws {
        _ = try store.open(fixture.layout)
        #expect(try count() == 1)
        _ = try fixture.store.open(fixture.layout)
        try insert()
        let error = #expect(throws: StorageError.self) { try self.count() }
        #expect(
            error?.description
                == "busy: '\(fixture.fileURL.path)' was written while it was read. Close the store and open it again."
        )
        #expect(code { _ = try self.store.reserveKeys(0, root: 0) } == .busy)
        store.close()
        _ = try store.open(fixture.layout)
        #expect(try count() == 2)
    }

    @Test func `a request throws busy if the file is written during the request`() throws {
        let path = fixture.fileURL.path(percentEncoded: false)
        let isWritten = Locked(false)
        let settings = SQLiteConfiguration(isReadOnly: true) { text in
            guard text.contains("\"Club\""), isWritten.withLock(\.self) else { return }
            let later = Date(timeIntervalSinceNow: 100)
            try? FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
        }
        let store = SQLiteStore(fileURL: fixture.fileURL, settings: settings)
        defer { store.close() }
        _ = try store.open(fixture.layout)
        let request = RowRequest(entity: fixture.entity("Club"))
        #expect(try store.read { reader throws(StorageError) in try reader.count(request) } == 1)
        isWritten.withLock { $0 = true }
        let error = #expect(throws: StorageError.self) {
            try store.read { reader throws(StorageError) in try reader.rows(request) }
        }
        #expect(error?.code == .busy)
    }
}
