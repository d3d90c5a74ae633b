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

    /// Nothing tells how a text becomes a date.
    private let third = CoreStoreSchema(modelVersion: "V3", entities: [Entity<DatedNote>("Note")])

    private func inDirectory(_ body: (URL) throws -> Void) throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        try body(directory.appending(path: "notes.sqlite"))
    }

    @Test func `STO-22 the same file is one store, however often it is added`() throws {
        try inDirectory { file in
            let stack = DataStack(first)
            let store = try stack.addStorageAndWait(SQLiteStore(fileURL: file))
            #expect(try stack.addStorageAndWait(SQLiteStore(fileURL: file)) === store)
            try stack.perform(synchronous: { $0.create(Into<Note>()).text = "only once" })
            #expect(try stack.fetchCount(From<Note>()) == 1)
        }
    }

    @Test func `STO-22 a file that is there with another configuration is refused, with one error in the log`() throws {
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

    @Test func `STO-22 a file is one store through symbolic links, too`() throws {
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
            // The other way round: the store that was added first is the one with the link.
            let other = DataStack(schema)
            let linked = try other.addStorageAndWait(SQLiteStore(fileURL: link, configuration: "One"))
            #expect(try other.addStorageAndWait(SQLiteStore(fileURL: file, configuration: "One")) === linked)
        }
    }

    @Test func `STO-24 a file of another model that cannot be migrated at once asks for a migration`() throws {
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

    @Test func `STO-24 a file of another model is refused, or made anew when that is asked for`() throws {
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
