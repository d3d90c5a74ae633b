import CofferStorage
import Foundation
import TestSupport
import Testing

@testable import CofferSQLite

struct SQLiteStoreTests {
    @Test(.pins("STO-02")) func `the default file is in the user's data directory`() throws {
        let root = SQLiteStore.defaultFile("a.sqlite").deletingLastPathComponent()
        let program = try #require(Bundle.main.executableURL).lastPathComponent
        #expect(root.lastPathComponent == Bundle.main.bundleIdentifier ?? program)
        #expect(root.deletingLastPathComponent().path() == SQLiteStore.legacyDefaultRootDirectory.path())
        #expect(SQLiteStore().fileURL == SQLiteStore.defaultFileURL)
        #expect(SQLiteStore.legacy().fileURL == SQLiteStore.legacyDefaultFileURL)
        #expect(SQLiteStore(fileName: "a.sqlite").fileURL.path() == root.appending(path: "a.sqlite").path())
        #expect(SQLiteStore.defaultFileURL.pathExtension == "sqlite")
        let legacy = SQLiteStore.legacyDefaultRootDirectory
        #expect(SQLiteStore.legacy(fileName: "a.sqlite").fileURL.path() == legacy.appending(path: "a.sqlite").path())
        #expect(SQLiteStore.legacyDefaultFileURL.lastPathComponent == SQLiteStore.defaultFileURL.lastPathComponent)
    }

    @Test(.pins("STO-02")) func `the default file is named after the bundle, and 'CoreData' without one`() {
        let name = Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String ?? "CoreData"
        #expect(SQLiteStore().fileURL.lastPathComponent == "\(name).sqlite")
        #expect(SQLiteStore.legacy().fileURL.lastPathComponent == "\(name).sqlite")
    }

    @Test(.pins("STO-02")) func `an existing file in the formerly shared directory is used`() throws {
        let root = try TemporaryDirectory.make()
        defer { try? FileManager.default.removeItem(at: root) }
        let shared = root.appending(path: SQLiteStore.sharedDirectoryName)
        let own = root.appending(path: SQLiteStore.defaultDirectoryName)
        for directory in [shared, own] {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        }
        func found() -> String { SQLiteStore.defaultFile("a.sqlite", in: root).path() }
        #expect(found() == own.appending(path: "a.sqlite").path())
        try Data().write(to: shared.appending(path: "a.sqlite"))
        #expect(found() == shared.appending(path: "a.sqlite").path())
        try Data().write(to: own.appending(path: "a.sqlite"))
        #expect(found() == own.appending(path: "a.sqlite").path())
    }

    #if os(Linux) || os(Android)
        @Test(.pins("STO-02")) func `XDG_DATA_HOME is the directory for data if it is an absolute path`() {
            func root(_ path: String?) -> String {
                SQLiteStore.dataDirectory(path.map { ["XDG_DATA_HOME": $0] } ?? [:]).path(percentEncoded: false)
            }
            let home = FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/")
                .path(percentEncoded: false)
            #expect(root("/data/of programs") == "/data/of programs/")
            #expect(root(nil) == home)
            // The XDG specification ignores relative paths.
            #expect(root("data") == home && root("") == home)
            #expect(
                SQLiteStore.legacyDefaultRootDirectory
                    == SQLiteStore.dataDirectory(ProcessInfo.processInfo.environment))
        }
    #endif

    @Test(.pins("STO-03")) func `the storage options contain the journal mode`() {
        let store: any StorageInterface = SQLiteStore()
        #expect(store.storeOptions?["NSSQLitePragmasOption"] as? [String: String] == ["journal_mode": "WAL"])
        #expect(store.storeOptions?["NSBinaryStoreInsecureDecodingCompatibilityOption"] as? Bool == true)
    }

    @Test(.pins("STO-03")) func `local options can be changed until the store is added`() {
        let store = SQLiteStore(fileName: "a.sqlite", localStorageOptions: .preventProgressiveMigration)
        #expect(store.localStorageOptions == .preventProgressiveMigration)
        store.localStorageOptions = .recreateStoreOnModelMismatch
        #expect(store.localStorageOptions == .recreateStoreOnModelMismatch)
        #expect(SQLiteStore().localStorageOptions == nil)
    }

    @Test(.pins("STO-04")) func `local options have CoreStore's raw values`() {
        #expect(LocalStorageOptions.none.rawValue == 0)
        #expect(LocalStorageOptions.recreateStoreOnModelMismatch.rawValue == 1)
        #expect(LocalStorageOptions.preventProgressiveMigration.rawValue == 2)
        #expect(LocalStorageOptions.allowSynchronousLightweightMigration.rawValue == 4)
        let options: LocalStorageOptions = nil
        #expect(options == .none)
        #expect(
            LocalStorageOptions(rawValue: 5) == [.recreateStoreOnModelMismatch, .allowSynchronousLightweightMigration])
    }

    @Test(.pins("STO-05")) func `only synchronous migration adds options to the options of the store`() {
        let store = SQLiteStore()
        let keys = { (options: [AnyHashable: Any]?) in Set(options.map { $0.keys.compactMap { $0 as? String } } ?? []) }
        let own = keys(store.storeOptions)
        #expect(own == ["NSSQLitePragmasOption", "NSBinaryStoreInsecureDecodingCompatibilityOption"])
        let others: [LocalStorageOptions] = [.none, [.recreateStoreOnModelMismatch, .preventProgressiveMigration]]
        for options in others {
            #expect(keys(store.dictionary(forOptions: options)) == own)
        }
        let options = store.dictionary(
            forOptions: [.allowSynchronousLightweightMigration, .preventProgressiveMigration])
        let added = ["NSMigratePersistentStoresAutomaticallyOption", "NSInferMappingModelAutomaticallyOption"]
        #expect(keys(options) == own.union(added))
        for key in added { #expect(options?[key] as? Bool == true) }
        #expect(options?["NSSQLitePragmasOption"] as? [String: String] == ["journal_mode": "WAL"])
    }

    @Test(.pins("STO-06")) func `a finalised store is one file with all its data, and a copy of the file has all data`()
        throws
    {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).sorted()
        }
        #expect(try files() == ["zoo.sqlite", "zoo.sqlite-shm", "zoo.sqlite-wal"])
        try fixture.store.cs_finalizeStorageAndWait()
        #expect(try files() == ["zoo.sqlite"])
        let copy = fixture.directory.appending(path: "copy.sqlite")
        try FileManager.default.copyItem(at: fixture.fileURL, to: copy)
        _ = try fixture.store.open(fixture.layout)
        #expect(try fixture.row("Person", 1) != nil)
        let copied = SQLiteStore(fileURL: copy)
        _ = try copied.open(fixture.layout)
        #expect(
            try copied.read { reader throws(StorageError) in try reader.row(root: fixture.entity("Person"), key: 1) }
                != nil)
    }

    @Test(.pins("STO-06")) func `a store that is open elsewhere is not finalised`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(busyTimeLimit: 0.05))
        let other = SQLiteStore(fileURL: fixture.fileURL, settings: fixture.store.settings)
        #expect(throws: StorageError.self) { try other.cs_finalizeStorageAndWait() }
        #expect(try fixture.insert(fixture.row("Person", 1)).merges.isEmpty)
        try SQLiteStore(fileURL: fixture.directory.appending(path: "none.sqlite")).cs_finalizeStorageAndWait()
    }

    @Test(.pins("STO-07")) func `the file size is the size of the main file, or nil if there is no file`() throws {
        let fixture = try SQLiteFixture(opens: false)
        #expect(fixture.store.fileSize() == nil)
        _ = try fixture.store.open(fixture.layout)
        fixture.store.close()
        #expect(fixture.store.fileSize() == UInt64(try Data(contentsOf: fixture.fileURL).count))
    }

    @Test(.pins("STO-07")) func `the file size does not include the write-ahead log`() throws {
        let fixture = try SQLiteFixture()
        let before = try #require(fixture.store.fileSize())
        try fixture.insert(fixture.row("Person", 1, ["photo": .blob(Data(repeating: 7, count: 100_000))]))
        let log = try Data(contentsOf: URL(fileURLWithPath: fixture.fileURL.path() + "-wal")).count
        #expect(log > 100_000 && fixture.store.fileSize() == before)
    }

    @Test func `inspecting a store creates no files`() throws {
        let fixture = try SQLiteFixture(opens: false)
        func files() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).sorted()
        }
        #expect(try fixture.store.inspect() == nil)
        #expect(try files().isEmpty)
        try Data().write(to: fixture.fileURL)
        #expect(try fixture.store.inspect() == nil)
        #expect(try files() == ["zoo.sqlite"])
        let metadata = try fixture.store.open(fixture.layout)
        #expect(try fixture.store.inspect() == metadata)
        let other = SQLiteStore(fileURL: fixture.fileURL)
        #expect(try other.inspect() == metadata)
        fixture.store.close()
        #expect(try files() == ["zoo.sqlite"])
        #expect(try other.inspect() == metadata)
        #expect(try files() == ["zoo.sqlite"])
    }

    @Test func `a store that cannot be created leaves no files`() throws {
        let fixture = try SQLiteFixture(settings: SQLiteConfiguration(maximumPageCount: 3), opens: false)
        #expect(throws: StorageError.self) { try fixture.store.open(fixture.layout) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).isEmpty)
    }

    @Test func `erasing removes every file and succeeds if there is no store`() throws {
        let fixture = try SQLiteFixture()
        try fixture.insert(fixture.row("Person", 1))
        try fixture.store.erase()
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path()).isEmpty)
        try fixture.store.erase()
    }

    @Test func `indexes that the model adds are created when the store is opened`() throws {
        let fixture = try SQLiteFixture()
        fixture.store.close()
        var model = SQLiteFixture.model
        model.entities[0].indexes = [["age", "name"]]
        let metadata = try fixture.store.open(try ModelLayout(model))
        #expect(try fixture.store.inspect() == metadata)
        let connection = try SQLiteConnection(
            path: fixture.fileURL.path(), access: .read, options: SQLiteConfiguration())
        let names = try connection.text(
            "SELECT group_concat(name) FROM (SELECT name FROM sqlite_master "
                + "WHERE tbl_name = 'Person' AND type = 'index' ORDER BY name)"
        )
        #expect(names == "coffer_index_Person_age_name,coffer_index_Person_boss,coffer_unique_Person_email")
    }

    @Test func `related rows of 1,000 owners are read by one statement after one for an estimate`() throws {
        let statements = Locked<[String]>([])
        let fixture = try SQLiteFixture(
            settings: SQLiteConfiguration(onStatement: { text in statements.withLock { $0.append(text) } })
        )
        var changes = ChangeSet()
        for key in Int64(1)...1_000 {
            changes.inserts.append(.init(row: try fixture.row("Person", key)))
            for pet in Int64(0)..<3 {
                let values: [String: Value] = ["owner": .integer(key), "owner position": .integer(-pet)]
                changes.inserts.append(.init(row: try fixture.row("Dog", key * 10 + pet, values)))
            }
        }
        _ = try fixture.store.commit(changes)
        statements.withLock { $0 = [] }
        let related = try fixture.store.read { (reader) throws(StorageError) in
            try reader.related(fixture.relationship("Person", "pets"), of: Array(1...1_000) + [5_000])
        }
        let selects = statements.withLock { $0.filter { $0.hasPrefix("SELECT") } }
        #expect(selects.count { !$0.contains("COUNT(*)") } == 1)
        #expect(selects.count == 2)
        try #require(related.count == 1_000)
        #expect(related[4].rows.map(\.key) == [52, 51, 50])
    }

    @Test func `several writers and readers can use one file at the same time`() async throws {
        let fixture = try SQLiteFixture()
        let layout = fixture.layout
        let url = fixture.fileURL
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let store = SQLiteStore(fileURL: url)
                    _ = try store.open(layout)
                    defer { store.close() }
                    for _ in 0..<25 {
                        let key = try store.reserveKeys(1, root: 0).lowerBound
                        var changes = ChangeSet()
                        guard
                            let row = Row.make(
                                entity: 0, key: key, version: 1, values: layout.entities[0].kinds.map { _ in .null },
                                kinds: layout.entities[0].kinds
                            )
                        else { return }
                        changes.inserts = [.init(row: row)]
                        _ = try store.commit(changes)
                        _ = try store.makeReader().count(RowRequest(entity: 0))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try fixture.keys("Person", .constant(true)) == Array(1...100))
    }
}
