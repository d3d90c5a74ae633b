import Coffer
import CofferInMemory
import CofferSQLite
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
}

private final class Dog: Animal {}

private final class Note: CoreStoreObject {
    @Field.Stored("text") var text: String = ""
}

private let schema = CoreStoreSchema(
    modelVersion: "V2", entities: [Entity<Animal>("StackAnimal"), Entity<Dog>("StackDog"), Entity<Note>("StackNote")]
)
private let old = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("StackNote")])

@MainActor
struct StackTests {
    @Test(.pins("STO-20")) func `a stack returns its current schema and equals only itself`() {
        let stack = DataStack(old, schema, migrationChain: ["V1", "V2"])
        #expect(stack.modelVersion == "V2")
        #expect(stack.modelSchema as? CoreStoreSchema === schema)
        #expect(stack == stack)
        #expect(stack != DataStack(schema))
        let other = DataStack(schemaHistory: SchemaHistory(allSchema: [schema], migrationChain: nil))
        #expect(other.modelVersion == "V2")
    }

    @Test(.pins("STO-20")) func `two stacks with the same history are not equal`() {
        let history = SchemaHistory(allSchema: [schema], migrationChain: nil)
        let (one, other) = (DataStack(schemaHistory: history), DataStack(schemaHistory: history))
        #expect(one == one && one != other)
        #expect(one.modelSchema as? CoreStoreSchema === schema && other.modelSchema as? CoreStoreSchema === schema)
    }

    @Test(.pins("STO-21", "LOG-07")) func `reading before a store is added throws and logs one error`() throws {
        let stack = DataStack(schema)
        let missing = CoreStoreError.persistentStoreNotFound(entity: Note.self)
        let calls: [(String, () throws -> Void)] = [
            ("fetch", { _ = try stack.fetchAll(From<Note>()) }),
            ("fetch", { _ = try stack.fetchOne(From<Note>()) }),
            ("count", { _ = try stack.fetchCount(From<Note>()) }),
            ("fetch", { _ = try stack.fetchObjectID(From<Note>()) }),
            ("query", { _ = try stack.queryAttributes(From<Note>().select(NSDictionary.self, .attribute(\.$text))) }),
            ("fetch", { try stack.perform(synchronous: { _ = try $0.fetchAll(From<Note>()) }) }),
            ("delete", { try stack.perform(synchronous: { _ = try $0.deleteAll(From<Note>()) }) }),
            ("fetch", { try stack.read({ _ = try $0.fetchAll(From<Note>()) }) }),
        ]
        for (operation, call) in calls {
            let recording = RecordingLogger.record("storage for 'Note'. If the schema has no ") {
                #expect(throws: missing) { try call() }
            }
            #expect(recording.entries == [.error(.persistentStoreNotFound, "The \(operation) failed.")])
        }
        #expect(
            missing.description
                == "persistentStoreNotFound: The data stack has no storage for 'Note'. If the schema has no "
                + "'Entity<Note>', add it. If no storage was added or all storages were removed, call "
                + "'addStorageAndWait'."
        )
    }

    @Test(.pins("STO-21", "LOG-07")) func `the error of a read after the removal of all stores mentions the removal`()
        throws
    {
        let stack = DataStack(schema)
        try stack.addStorageAndWait(InMemoryStore())
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let error = #expect(throws: CoreStoreError.self) { try stack.fetchAll(From<Note>()) }
        #expect(error == .persistentStoreNotFound(entity: Note.self))
        #expect(error?.description.contains("all storages were removed, call 'addStorageAndWait'") == true)
        try stack.addStorageAndWait(InMemoryStore())
        #expect(try stack.fetchAll(From<Note>()).isEmpty)
    }

    @Test(.pins("STO-22"), arguments: TestBackend.allCases)
    func `adding the same store again returns the same store`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let stack = DataStack(schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let store = ProbedStore(try backend.makeStore("a", in: directory))
        #expect(try stack.addStorageAndWait(store) === store)
        #expect(try stack.addStorageAndWait(store) === store)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? stack.addStorageAndWait(store) }
        // If the stack had the store twice, it could not choose a store for the new object.
        try stack.perform(synchronous: { $0.create(Into<Note>()).text = "one" })
        #expect(try stack.fetchCount(From<Note>()) == 1)
    }

    @Test(.pins("STO-22")) func `threads that add the same new store concurrently add it once`() throws {
        for _ in 0..<20 {
            let stack = DataStack(schema)
            let store = InMemoryStore()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in _ = try? stack.addStorageAndWait(store) }
            try stack.perform(synchronous: { _ = $0.create(Into<Note>()) })
            #expect(try stack.fetchCount(From<Note>()) == 1)
        }
    }

    @Test(.pins("STO-01"), arguments: TestBackend.allCases)
    func `a stack accepts any store, local or not`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        #expect(!(probed.store is any LocalStorage))
        try probed.stack.perform(synchronous: { $0.create(Into<Note>()).text = "one" })
        #expect(probed.store.takeRequests() == ["reserve StackNote", "commit +1 *0 -0"])
        #expect(try probed.stack.fetchOne(From<Note>())?.text == "one")
        #expect(probed.store.takeRequests() == ["rows StackNote"])
    }

    @Test(.pins("TX-13"), arguments: TestBackend.allCases)
    func `an awaited addStorage returns the storage or throws an error`(_ backend: TestBackend) async throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let stack = DataStack(schema)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let made = try backend.makeStore("a", in: directory)
        if let store = made as? SQLiteStore {
            #expect(try await stack.async.addStorage(store) === store)
            #expect(FileManager.default.fileExists(atPath: store.fileURL.path))
        } else {
            #expect(try await stack.async.addStorage(made) === made)
        }
        try await stack.async.perform { $0.create(Into<Note>()).text = "one" }
        #expect(try stack.fetchAll(From<Note>()).map(\.text) == ["one"])
        let wrong = InMemoryStore(configuration: "none")
        await #expect(throws: CoreStoreError.self) { try await stack.async.addStorage(wrong) }
    }

    @Test(.pins("STO-23")) func `adding a file store creates missing directories`() throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appending(path: "a/b/c/notes.sqlite")
        let stack = DataStack(schema)
        try stack.addStorageAndWait(SQLiteStore(fileURL: url))
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        #expect(FileManager.default.fileExists(atPath: url.path))
    }

    @Test(.pins("STO-24")) func `a file of another model is refused and stays unchanged`() throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appending(path: "notes.sqlite")
        let first = DataStack(old)
        try first.addStorageAndWait(SQLiteStore(fileURL: url))
        try first.perform(synchronous: { $0.create(Into<Note>()).text = "kept" })
        first.unsafeRemoveAllPersistentStoresAndWait()
        let second = DataStack(schema)
        let recording = RecordingLogger.record("notes.sqlite") {
            let error = #expect(throws: CoreStoreError.self) {
                try second.addStorageAndWait(SQLiteStore(fileURL: url))
            }
            #expect(error?.storageError?.code == .schemaMismatch)
        }
        #expect(recording.errors == ["The storage could not be added."])
        #expect(throws: CoreStoreError.persistentStoreNotFound(entity: Note.self)) { try second.fetchAll(From<Note>()) }
        try first.addStorageAndWait(SQLiteStore(fileURL: url))
        #expect(try first.fetchAll(From<Note>()).map(\.text) == ["kept"])
        first.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("STO-27"), arguments: TestBackend.allCases)
    func `a URI finds the id of its object only in a stack with the store`(_ backend: TestBackend) throws {
        let (test, other) = (try TestStack(backend, schema), try TestStack(backend, schema))
        let id = try test.stack.perform(synchronous: { $0.create(Into<Dog>()).objectID() })
        let uri = id.uriRepresentation()
        #expect(test.stack.objectID(forURIRepresentation: uri) == id)
        #expect(other.stack.objectID(forURIRepresentation: uri) == nil)
        for text in ["https://example.org", "coffer://x/StackDog/1", uri.absoluteString + "0x", "coffer://", "/"] {
            let url = try #require(URL(string: text))
            #expect(test.stack.objectID(forURIRepresentation: url) == nil, "\(text)")
        }
        let encoded = try JSONEncoder().encode([id])
        #expect(try JSONDecoder().decode([ObjectID].self, from: encoded) == [id])
    }

    @Test(.pins("STO-27")) func `the URI of a saved object is the same after a relaunch`() throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appending(path: "notes.sqlite")
        var uri: URL?
        for launch in 0..<2 {
            let stack = DataStack(schema)
            try stack.addStorageAndWait(SQLiteStore(fileURL: url))
            if launch == 0 {
                uri = try stack.perform(synchronous: { transaction in
                    let note = transaction.create(Into<Note>())
                    note.text = "kept"
                    return note.objectID().uriRepresentation()
                })
            }
            let known = try #require(uri)
            let id = try #require(stack.objectID(forURIRepresentation: known))
            let note: Note = try #require(stack.fetchExisting(id))
            #expect(note.text == "kept")
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test(.pins("STO-28")) func `entityTypesByName returns the names of a class and its subclasses`() {
        let stack = DataStack(schema)
        let names = stack.entityTypesByName(for: Animal.self)
        #expect(names.keys.sorted() == ["StackAnimal", "StackDog"])
        #expect(names["StackDog"] == Dog.self)
        #expect(stack.entityTypesByName(for: Note.self).count == 1)
        #expect(
            stack.entityTypesByName(for: CoreStoreObject.self).keys.sorted() == [
                "StackAnimal", "StackDog", "StackNote",
            ])
    }

    @Test(.pins("STO-30", "FQ-05"), arguments: TestBackend.allCases)
    func `a fetch on the wrong queue fails an assertion and returns the objects`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "elsewhere")
        let test = try TestStack(backend, schema, viewQueue: queue)
        let stack = test.stack
        let id = try stack.perform(synchronous: { transaction in
            let note = transaction.create(Into<Note>())
            note.text = "one"
            return note.objectID()
        })
        let text =
            "'Note' was fetched outside the queue of the data stack or transaction. Use that queue, or 'stack.read'."
        let recording = try RecordingLogger.record("'Note' was fetched outside") {
            let notes = try stack.fetchAll(From<Note>())
            let one: Note? = stack.fetchExisting(id)
            let some: [Note] = stack.fetchExisting([id])
            #expect(try stack.fetchOne(From<Note>()) === notes[0])
            queue.sync { #expect(notes.map(\.text) == ["one"] && one === notes[0] && some == notes) }
            #expect(try stack.fetchCount(From<Note>()) == 1)
            #expect(try stack.fetchObjectIDs(From<Note>()) == [id])
            #expect(try stack.queryValue(From<Note>(), Select<Note, String>(.maximum(\.$text))) == "one")
        }
        #expect(recording.entries == Array(repeating: .assertion(text), count: 7))
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `a query on the wrong queue fails an assertion and returns the rows`(
        _ backend: TestBackend
    ) throws {
        let queue = DispatchQueue(label: "elsewhere")
        let test = try TestStack(backend, schema, viewQueue: queue)
        let id = try test.stack.perform(synchronous: { transaction in
            let note = transaction.create(Into<Note>())
            note.text = "one"
            return note.objectID()
        })
        let recording = try RecordingLogger.record("'Note' was fetched outside") {
            let rows = try test.stack.queryAttributes(
                From<Note>().select(NSDictionary.self, .attribute(\.$text)))
            #expect(rows.map { $0["text"] as? String } == ["one"])
            #expect(try test.stack.fetchObjectID(From<Note>()) == id)
        }
        #expect(recording.entries.count == 2 && recording.assertions.count == 2)
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `A1 a fetch of the stack inside a transaction of another queue is refused without deadlock`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let stack = test.stack
        let text =
            "'Note' was fetched outside the queue of the data stack or transaction. Use that queue, or 'stack.read'."
        let seen = Locked<[String]>([])
        let recording = try RecordingLogger.record("'Note' was fetched outside") {
            stack.perform(
                asynchronous: { transaction in
                    transaction.create(Into<Note>()).text = "one"
                    let counted = try stack.fetchCount(From<Note>())
                    let error = #expect(throws: CoreStoreError.self) { try stack.fetchAll(From<Note>()) }
                    seen.withLock { $0 = ["\(counted)", error?.description ?? ""] }
                }, completion: { _ in })
            // The view queue waits for the transaction here.
            try stack.perform(synchronous: { _ in })
        }
        #expect(seen.withLock { $0 } == ["0", "unsupported: \(text)"])
        #expect(
            recording.entries == [.assertion(text), .assertion(text), .error(.internalError, "The fetch failed.")])
        #expect(try stack.fetchCount(From<Note>()) == 1)
    }

    @Test(.pins("STO-30")) func `a fetch of objects on the wrong queue is refused if the view queue is suspended`()
        throws
    {
        let queue = DispatchQueue(label: "elsewhere")
        let test = try TestStack(.memory, schema, viewQueue: queue)
        queue.suspend()
        defer { queue.resume() }
        let text =
            "'Note' was fetched outside the queue of the data stack or transaction. Use that queue, or 'stack.read'."
        try RecordingLogger.record("'Note' was fetched outside") {
            let count = try test.stack.fetchCount(From<Note>())
            #expect(count == 0)
            let error = #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Note>()) }
            #expect(error?.description == "unsupported: \(text)")
        }
    }

    @Test(.pins("STO-30"), arguments: TestBackend.allCases)
    func `the main thread may fetch while it waits for another queue`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let other = DispatchQueue(label: "lock")
        let count =
            try DispatchQueue.main.isCurrentThread ? other.sync { try test.stack.fetchAll(From<Note>()).count } : 0
        #expect(count == 0)
    }
}

extension DispatchQueue {
    /// Whether the queue is the main queue and the current thread is the main thread.
    ///
    /// On Linux other threads may execute the main queue.
    fileprivate var isCurrentThread: Bool { self === DispatchQueue.main && Thread.isMainThread }
}
