import Coffer
import CofferSQLite
import Foundation
import TestSupport
import Testing

/// Files that are added to data stacks.
@MainActor
struct LocalStorageTests {
    final class Note: CoreStoreObject {
        @Field.Stored("text") var text: String = ""
    }

    final class OtherNote: CoreStoreObject {
        @Field.Stored("number") var number: Int = 0
    }

    final class DatedNote: CoreStoreObject {
        @Field.Stored("text") var text: Date = .distantPast
    }

    private let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])
    private let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<OtherNote>("Note")])

    /// A schema with a date in place of a string; no mapping defines the conversion.
    private let third = CoreStoreSchema(modelVersion: "V3", entities: [Entity<DatedNote>("Note")])

    private func inDirectory(_ body: (URL) throws -> Void) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.appending(path: "notes.sqlite"))
    }

    @Test(.pins("STO-22")) func `adding the same file again returns the same store`() throws {
        try inDirectory { file in
            let stack = DataStack(first)
            let store = try stack.addStorageAndWait(SQLiteStore(fileURL: file))
            #expect(try stack.addStorageAndWait(SQLiteStore(fileURL: file)) === store)
            try stack.perform(synchronous: { $0.create(Into<Note>()).text = "only once" })
            #expect(try stack.fetchCount(From<Note>()) == 1)
        }
    }

    @Test(.pins("STO-22"))
    func `adding a file that is open with another configuration is refused and logs one error`() throws {
        try inDirectory { file in
            let schema = CoreStoreSchema(
                modelVersion: "V1", entityConfigurations: [Entity<Note>("Note"): ["One", "Two"]]
            )
            let stack = DataStack(schema)
            let store = try stack.addStorageAndWait(SQLiteStore(fileURL: file, configuration: "One"))
            let detour = file.deletingLastPathComponent().appending(path: "x/../notes.sqlite")
            let recording = RecordingLogger.record(file.path) {
                let error = #expect(throws: CoreStoreError.self) {
                    try stack.addStorageAndWait(SQLiteStore(fileURL: detour, configuration: "Two"))
                }
                #expect(error == .differentStorageExistsAtURL(existingPersistentStoreURL: file))
            }
            #expect(recording.entries == [.error(.differentStorageExistsAtURL, "The storage could not be added.")])
            #expect(try stack.addStorageAndWait(SQLiteStore(fileURL: detour, configuration: "One")) === store)
        }
    }

    @Test(.pins("STO-22")) func `adding a file through a symbolic link returns the same store`() throws {
        try inDirectory { file in
            let schema = CoreStoreSchema(
                modelVersion: "V1", entityConfigurations: [Entity<Note>("Note"): ["One", "Two"]]
            )
            let directory = file.deletingLastPathComponent()
            let (link, folder) = (directory.appending(path: "link.sqlite"), directory.appending(path: "folder"))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: directory)
            let stack = DataStack(schema)
            let store = try stack.addStorageAndWait(SQLiteStore(fileURL: file, configuration: "One"))
            for place in [link, folder.appending(path: "notes.sqlite"), folder.appending(path: "link.sqlite")] {
                #expect(try stack.addStorageAndWait(SQLiteStore(fileURL: place, configuration: "One")) === store)
                let error = #expect(throws: CoreStoreError.self) {
                    try stack.addStorageAndWait(SQLiteStore(fileURL: place, configuration: "Two"))
                }
                #expect(error == .differentStorageExistsAtURL(existingPersistentStoreURL: file))
            }
            // The reverse: the store that is added first has the link.
            let other = DataStack(schema)
            let linked = try other.addStorageAndWait(SQLiteStore(fileURL: link, configuration: "One"))
            #expect(try other.addStorageAndWait(SQLiteStore(fileURL: file, configuration: "One")) === linked)
        }
    }

    @Test(.pins("STO-24")) func `a file that cannot be migrated synchronously throws asynchronousMigrationRequired`()
        throws
    {
        try inDirectory { file in
            let old = DataStack(first)
            try old.addStorageAndWait(SQLiteStore(fileURL: file))
            old.unsafeRemoveAllPersistentStoresAndWait()
            let options = LocalStorageOptions.allowSynchronousLightweightMigration
            let error = #expect(throws: CoreStoreError.self) {
                try DataStack(third).addStorageAndWait(SQLiteStore(fileURL: file, localStorageOptions: options))
            }
            guard case .asynchronousMigrationRequired(file, let cause)? = error else {
                return #expect(Bool(false), "\(error as Any)")
            }
            #expect(CoreStoreError(cause).storageError?.code == .schemaMismatch)
        }
    }

    @Test(.pins("STO-24")) func `a file of the same model keeps its data with every storage option`() throws {
        try inDirectory { file in
            let all: [LocalStorageOptions] = [
                .none, .recreateStoreOnModelMismatch, .allowSynchronousLightweightMigration,
                [.recreateStoreOnModelMismatch, .allowSynchronousLightweightMigration],
            ]
            for (count, options) in all.enumerated() {
                let stack = DataStack(first)
                try stack.addStorageAndWait(SQLiteStore(fileURL: file, localStorageOptions: options))
                #expect(try stack.fetchCount(From<Note>()) == count)
                try stack.perform(synchronous: { $0.create(Into<Note>()).text = "kept" })
                stack.unsafeRemoveAllPersistentStoresAndWait()
            }
        }
    }

    @Test(.pins("STO-24", "MIG-11"), arguments: [false, true])
    func `a file keeps its data if no entity of its configuration has changed`(
        _ isAsynchronous: Bool
    ) async throws {
        final class Sketch: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        func schema(_ version: String, _ sketch: DynamicEntity) -> CoreStoreSchema {
            CoreStoreSchema(
                modelVersion: version, entityConfigurations: [Entity<Note>("Note"): ["A"], sketch: ["B"]])
        }
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "notes.sqlite")
        let (v1, v2) = (schema("V1", Entity<Sketch>("Sketch")), schema("V2", Entity<OtherNote>("Sketch")))
        let old = DataStack(v1)
        try old.addStorageAndWait(SQLiteStore(fileURL: file, configuration: "A"))
        try old.perform(synchronous: { $0.create(Into<Note>()).text = "kept" })
        old.unsafeRemoveAllPersistentStoresAndWait()
        // The stacks migrate the file forwards without the old version, and back with the old version in the history.
        for stack in [DataStack(v2), DataStack(v1, v2, migrationChain: ["V1": "V2"]), DataStack(v1)] {
            let storage = SQLiteStore(
                fileURL: file, configuration: "A", localStorageOptions: .recreateStoreOnModelMismatch)
            if isAsynchronous {
                let result = await withCheckedContinuation { continuation in
                    _ = stack.addStorage(storage) { continuation.resume(returning: $0.map { _ in }) }
                }
                try result.get()
            } else {
                try stack.addStorageAndWait(storage)
            }
            #expect(try stack.fetchAll(From<Note>()).map(\.text) == ["kept"])
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test(.pins("STO-24")) func `a file of another model is refused, or recreated if the options allow it`() throws {
        try inDirectory { file in
            let old = DataStack(first)
            try old.addStorageAndWait(SQLiteStore(fileURL: file))
            try old.perform(synchronous: { $0.create(Into<Note>()).text = "old" })
            old.unsafeRemoveAllPersistentStoresAndWait()

            let new = DataStack(second)
            #expect(throws: CoreStoreError.self) { try new.addStorageAndWait(SQLiteStore(fileURL: file)) }
            try new.addStorageAndWait(SQLiteStore(fileURL: file, localStorageOptions: .recreateStoreOnModelMismatch))
            #expect(try new.fetchCount(From<OtherNote>()) == 0)
            try new.perform(synchronous: { $0.create(Into<OtherNote>()).number = 1 })
            #expect(try new.fetchCount(From<OtherNote>()) == 1)
        }
    }
}
