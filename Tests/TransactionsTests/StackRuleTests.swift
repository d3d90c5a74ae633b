import Coffer
import CofferInMemory
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Rules of stores and stacks that other tests check only in part.
@MainActor
struct StackRuleTests {
    private final class Wren: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("age") var age: Int = 0
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1", entityConfigurations: [Entity<Wren>("Wren"): ["One", "Two"]])

    private func inDirectory(_ body: (URL) throws -> Void) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        try body(directory)
    }

    private func add(_ name: String, to stack: DataStack) throws {
        try stack.perform(synchronous: { $0.create(Into<Wren>()).name = name })
    }

    private func names(_ stack: DataStack) throws -> [String] {
        try stack.fetchAll(From<Wren>().orderBy(.ascending(\.$name))).map(\.name)
    }

    // MARK: Stores

    @Test(.pins("STO-01"), arguments: TestBackend.allCases)
    func `a store reports its type and configuration, and only SQLite has options and a file`(
        _ backend: TestBackend
    ) throws {
        try inDirectory { directory in
            let store = try backend.makeStore("store", in: directory, configuration: "One")
            let types: [TestBackend: String] = [.memory: "InMemory", .sqlite: "SQLite", .postgresql: "PostgreSQL"]
            #expect(type(of: store).storeType == types[backend])
            #expect(store.configuration == "One")
            #expect(try backend.makeStore("other", in: directory).configuration == nil)
            #expect((store.storeOptions != nil) == (backend == .sqlite))
            #expect(store is any MigratableStorage)
            let local = store as? any LocalStorage
            #expect((local != nil) == (backend == .sqlite))
            #expect(local?.fileURL == (backend == .sqlite ? directory.appending(path: "store.sqlite") : nil))
        }
    }

    @Test(.pins("STO-03")) func `a store in memory has no options`() {
        #expect(InMemoryStore().storeOptions == nil && InMemoryStore(configuration: "One").storeOptions == nil)
    }

    @Test(.pins("STO-08")) func `stores in memory do not share data`() throws {
        let (one, other) = (DataStack(schema), DataStack(schema))
        try one.addStorageAndWait(InMemoryStore())
        try other.addStorageAndWait(InMemoryStore())
        try add("Ann", to: one)
        #expect(try names(one) == ["Ann"] && names(other) == [])
        let third = DataStack(schema)
        try third.addStorageAndWait(InMemoryStore())
        #expect(try names(third) == [])
    }

    @Test(.pins("STO-08")) func `the data of a store in memory exist as long as the store object`() throws {
        var store: InMemoryStore? = InMemoryStore()
        weak let ended = store
        var stack: DataStack? = DataStack(schema)
        try stack?.addStorageAndWait(try #require(store))
        try add("Ann", to: try #require(stack))
        stack = nil
        let next = DataStack(schema)
        try next.addStorageAndWait(try #require(store))
        #expect(try names(next) == ["Ann"])
        next.unsafeRemoveAllPersistentStoresAndWait()
        store = nil
        #expect(ended == nil)
    }

    @Test(.pins("STO-08")) func `two stores in memory for one configuration make 'Into' ambiguous`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            final class Egg: CoreStoreObject {
                @Field.Stored("name") var name: String = ""
            }
            let schema = CoreStoreSchema(modelVersion: "V1", entityConfigurations: [Entity<Egg>("Egg"): ["One"]])
            let stack = DataStack(schema)
            try stack.addStorageAndWait(InMemoryStore(configuration: "One"))
            try stack.addStorageAndWait(InMemoryStore(configuration: "One"))
            try stack.perform(synchronous: { _ = $0.create(Into<Egg>("One")) }, waitForAllObservers: false)
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Several storages contain 'Egg'. Name a configuration in 'Into'."))
    }

    // MARK: Adding

    @Test(.pins("STO-22"))
    func `adding a file that is open as a store of another type is refused and logs one error`() throws {
        try inDirectory { directory in
            let file = directory.appending(path: "birds.sqlite")
            let stack = DataStack(schema)
            defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
            try stack.addStorageAndWait(SQLiteStore(fileURL: file))
            let recording = RecordingLogger.record(file.path) {
                let error = #expect(throws: CoreStoreError.self) {
                    try stack.addStorageAndWait(OtherFileStore(SQLiteStore(fileURL: file)))
                }
                #expect(error == .differentStorageExistsAtURL(existingPersistentStoreURL: file))
            }
            #expect(recording.entries == [.error(.differentStorageExistsAtURL, "The storage could not be added.")])
            try add("Ann", to: stack)
            #expect(try names(stack) == ["Ann"])
        }
    }

    @Test(.pins("STO-24")) func `if the options allow both, a file is migrated instead of recreated`() throws {
        final class Newer: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("colour") var colour: String = "brown"
        }
        try inDirectory { directory in
            let file = directory.appending(path: "birds.sqlite")
            let old = DataStack(schema)
            try old.addStorageAndWait(SQLiteStore(fileURL: file))
            try add("Ann", to: old)
            old.unsafeRemoveAllPersistentStoresAndWait()
            let stack = DataStack(CoreStoreSchema(modelVersion: "V2", entities: [Entity<Newer>("Wren")]))
            defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
            try stack.addStorageAndWait(
                SQLiteStore(
                    fileURL: file,
                    localStorageOptions: [.recreateStoreOnModelMismatch, .allowSynchronousLightweightMigration]))
            #expect(try stack.fetchAll(From<Newer>()).map { "\($0.name) \($0.colour)" } == ["Ann brown"])
        }
    }

    @Test(.pins("STO-24")) func `adding a file that cannot be opened logs one error, with every option`() throws {
        final class Other: CoreStoreObject {
            @Field.Stored("name") var name: Date = .distantPast
        }
        try inDirectory { directory in
            let file = directory.appending(path: "birds.sqlite")
            let old = DataStack(schema)
            try old.addStorageAndWait(SQLiteStore(fileURL: file))
            old.unsafeRemoveAllPersistentStoresAndWait()
            let other = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Other>("Wren")])
            for (options, code) in [
                (LocalStorageOptions.none, CoreStoreErrorCode.internalError),
                (.allowSynchronousLightweightMigration, .asynchronousMigrationRequired),
                (.preventProgressiveMigration, .internalError),
            ] {
                let recording = RecordingLogger.record(file.path) {
                    let error = #expect(throws: CoreStoreError.self) {
                        try DataStack(other).addStorageAndWait(
                            SQLiteStore(fileURL: file, localStorageOptions: options))
                    }
                    #expect(error?.errorCode == code.rawValue)
                }
                #expect(recording.entries == [.error(code, "The storage could not be added.")])
            }
        }
    }

    // MARK: Closing

    @Test(.pins("STO-26"), arguments: TestBackend.persistent)
    func `a deallocated stack closes its stores`(_ backend: TestBackend) throws {
        try inDirectory { directory in
            var stack: DataStack? = DataStack(schema)
            let store = try backend.makeStore("store", in: directory)
            try TestStack.add(store, to: try #require(stack))
            try add("Ann", to: try #require(stack))
            weak let ended = stack
            stack = nil
            #expect(ended == nil)
            let error = #expect(throws: StorageError.self) { try store.makeReader() }
            #expect(error?.code == .closed)
            // The store is open in no data stack any more.
            try backend.makeStore("store", in: directory).erase()
        }
    }

    @Test(.pins("STO-27"), arguments: TestBackend.persistent)
    func `the URI of an object finds it after a relaunch, on every persistent store`(
        _ backend: TestBackend
    ) throws {
        try inDirectory { directory in
            let first = DataStack(schema)
            try TestStack.add(backend.makeStore("store", in: directory), to: first)
            let uri = try first.perform(synchronous: { transaction in
                let wren = transaction.create(Into<Wren>())
                wren.name = "Ann"
                return wren.objectID().uriRepresentation()
            })
            first.unsafeRemoveAllPersistentStoresAndWait()
            #expect(first.objectID(forURIRepresentation: uri) == nil)
            let second = DataStack(schema)
            defer { second.unsafeRemoveAllPersistentStoresAndWait() }
            #expect(second.objectID(forURIRepresentation: uri) == nil)
            try TestStack.add(backend.makeStore("store", in: directory), to: second)
            let id = try #require(second.objectID(forURIRepresentation: uri))
            #expect((second.fetchExisting(id) as Wren?)?.name == "Ann" && id.uriRepresentation() == uri)
        }
    }

    @Test(.pins("STO-29")) func `the default logger is used until the program sets another logger`() async {
        await #expect(processExitsWith: .success) {
            precondition(CoreStoreDefaults.logger is DefaultLogger)
            exit(0)
        }
    }

    // MARK: Refreshing

    @Test(.pins("TX-15"), arguments: TestBackend.persistent)
    func `refreshing a stack shows the changes and deletions of another stack`(_ backend: TestBackend) throws {
        try inDirectory { directory in
            let (stack, other) = (DataStack(schema), DataStack(schema))
            for each in [stack, other] { try TestStack.add(backend.makeStore("store", in: directory), to: each) }
            defer { for each in [stack, other] { each.unsafeRemoveAllPersistentStoresAndWait() } }
            for name in ["Ann", "Bob"] { try add(name, to: stack) }
            let birds = try stack.fetchAll(From<Wren>().orderBy(.ascending(\.$name)))
            try other.perform(synchronous: { transaction in
                try transaction.fetchOne(From<Wren>().where(\.$name == "Ann"))?.age = 7
                try transaction.deleteAll(From<Wren>().where(\.$name == "Bob"))
            })
            #expect(birds.map(\.age) == [0, 0] && birds.map(\.isDeleted) == [false, false])
            stack.refreshAndMergeAllObjects()
            #expect(birds.map(\.age) == [7, 0] && birds.map(\.isDeleted) == [false, true])
            #expect(birds[1].name == "Bob")
        }
    }

    @Test(.pins("STO-30", "TX-15"), arguments: TestBackend.allCases)
    func `refreshing a stack outside its view queue fails an assertion`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try add("Ann", to: test.stack)
        let ann = try #require(try test.stack.fetchOne(From<Wren>()))
        let stack = test.stack
        let recording = RecordingLogger.record("'CoreStoreObject' was fetched outside") {
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                stack.refreshAndMergeAllObjects()
                done.signal()
            }
            done.wait()
        }
        #expect(recording.assertions.count == 1 && ann.name == "Ann")
    }

    // MARK: Several stacks

    @Test(.pins("TX-11"), arguments: TestBackend.persistent)
    func `with two stacks on one store, the last writer of each property wins`(_ backend: TestBackend) throws {
        try inDirectory { directory in
            let (stack, other) = (DataStack(schema), DataStack(schema))
            for each in [stack, other] { try TestStack.add(backend.makeStore("store", in: directory), to: each) }
            defer { for each in [stack, other] { each.unsafeRemoveAllPersistentStoresAndWait() } }
            try add("Ann", to: stack)
            func change(_ name: String, _ age: Int) throws {
                try other.perform(synchronous: { transaction in
                    let wren = try #require(try transaction.fetchOne(From<Wren>()))
                    (wren.name, wren.age) = (name, age)
                })
            }
            func stored() throws -> [String] {
                try other.read { try $0.fetchAll(From<Wren>()).map { "\($0.name) \($0.age)" } }
            }
            try stack.perform(synchronous: { transaction in
                let own = try #require(try transaction.fetchOne(From<Wren>()))
                try change("first", 1)
                own.name = "second"
            })
            #expect(try stored() == ["second 1"])
            let draft = stack.beginUnsafe()
            let own = try #require(try draft.fetchOne(From<Wren>()))
            own.name = "fourth"
            try change("third", 2)
            try draft.commitAndWait()
            #expect(try stored() == ["fourth 2"])
        }
    }
}

/// A store in a file whose class does not belong to the package.
private final class OtherFileStore: LocalStorage {
    static let storeType = "OtherFile"
    private let base: SQLiteStore

    init(_ base: SQLiteStore) {
        self.base = base
    }

    var fileURL: URL { base.fileURL }
    var localStorageOptions: LocalStorageOptions { base.localStorageOptions }
    var configuration: ModelConfiguration { base.configuration }
    var storeDescription: String { "OtherFileStore '\(fileURL.path)'" }
    func dictionary(forOptions options: LocalStorageOptions) -> [AnyHashable: Any]? { nil }
    func cs_finalizeStorageAndWait() throws(StorageError) { try base.cs_finalizeStorageAndWait() }
    func inspect() throws(StorageError) -> StoreMetadata? { try base.inspect() }
    func open(_ layout: ModelLayout) throws(StorageError) -> StoreMetadata { try base.open(layout) }
    func close() { base.close() }
    func erase() throws(StorageError) { try base.erase() }
    func makeReader() throws(StorageError) -> any StorageReader { try base.makeReader() }
    func reserveKeys(_ count: Int, root: Int) throws(StorageError) -> Range<Int64> {
        try base.reserveKeys(count, root: root)
    }
    func commit(_ changes: ChangeSet) throws(StorageError) -> CommitResult { try base.commit(changes) }
}
