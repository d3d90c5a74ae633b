import Coffer
import CofferSQLite
import CofferStorage
import Foundation
import TestSupport
import Testing

/// The errors that a program receives for a store of another version.
@MainActor
struct VersionErrorTests {
    private func place(_ backend: TestBackend, _ schema: CoreStoreSchema = V2.schema) throws -> Place {
        let place = try Place(backend)
        try place.fill(schema) { _ in }
        return place
    }

    /// The name of the store in errors: the path of a file, or the description of the store.
    private func name(_ place: Place) -> String {
        place.backend == .sqlite ? "'\(place.file.path)'" : place.storeDescription
    }

    /// Returns the error texts of all ways to add the store.
    private func texts(_ place: Place, _ stack: DataStack) async throws -> (added: String?, migrated: String?) {
        let store = try place.makeStore()
        let added = #expect(throws: CoreStoreError.self) { try TestStack.add(store, to: stack) }
        var migrated: CoreStoreError?
        do { try await place.add(to: stack) } catch { migrated = error as? CoreStoreError }
        if let migrated { #expect(migrated.localizedDescription == migrated.description) }
        return (added?.storageError?.message, migrated?.storageError?.message ?? migrated?.description)
    }

    private func check(_ place: Place, _ stack: DataStack, _ text: String) async throws {
        let (added, migrated) = try await texts(place, stack)
        #expect(added == "\(place.storeDescription) \(text)")
        #expect(
            migrated
                == (place.backend == .sqlite
                    ? "mappingModelNotFound: \(name(place)) \(text)" : "\(place.storeDescription) \(text)"))
    }

    @Test(.pins("MIG-13"), arguments: TestBackend.allCases)
    func `the error about an unknown version suggests that a newer program wrote the store`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend, V3.schema)
        try await check(
            place, DataStack(schemaHistory: [V1.schema, V2.schema]),
            """
            contains version 'V3' of the model, which is unknown to this program. The schema history has 'V1', 'V2', \
            and the chain 'V1' → 'V2'. If the store was written with schema 'V1', that schema has changed since. A \
            newer program may have written the store. Update this program, or add the schema 'V3' to the history.
            """)
        #expect(try place.makeStore().storedModelVersion() == "V3")
    }

    @Test(.pins("MIG-13"), arguments: TestBackend.allCases)
    func `the error about a later version in the chain reports that the store is newer`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend)
        let history = SchemaHistory(
            allSchema: [V1.schema, V2.schema], migrationChain: ["V1", "V2"], exactCurrentModelVersion: "V1")
        try await check(
            place, DataStack(schemaHistory: history),
            """
            contains version 'V2' of the model, which is newer than 'V1', the version of this program. Open the store \
            with a program that uses 'V2'.
            """)
    }

    @Test(.pins("MIG-13"), arguments: [false, true])
    func `a newer file is not migrated synchronously to an older version`(isRecreating: Bool) throws {
        let place = try place(.sqlite)
        let history = SchemaHistory(
            allSchema: [V1.schema, V2.schema], migrationChain: ["V1", "V2"], exactCurrentModelVersion: "V1")
        let options: LocalStorageOptions = [.allowSynchronousLightweightMigration]
        let stack = DataStack(schemaHistory: history)
        guard !isRecreating else {
            let recording = try RecordingLogger.record(place.file.path) {
                try stack.addStorageAndWait(place.sqlite([options, .recreateStoreOnModelMismatch]))
            }
            #expect(recording.messages(.warning).count == 1)
            #expect(recording.messages(.warning).first?.contains("which is newer than 'V1'") == true)
            return
        }
        let error = #expect(throws: CoreStoreError.self) { try stack.addStorageAndWait(place.sqlite(options)) }
        #expect(
            error?.description == """
                mappingModelNotFound: '\(place.file.path)' contains version 'V2' of the model, which is newer than \
                'V1', the version of this program. Open the store with a program that uses 'V2'.
                """)
        #expect(try place.sqlite().storedModelVersion() == "V2")
    }

    @Test(.pins("MIG-13")) func `a file of an unknown version is not migrated synchronously if data would be lost`()
        throws
    {
        final class Dog: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class NewDog: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("age") var age: Int = 0
        }
        let (old, new) = (
            CoreStoreSchema(modelVersion: "V1", entities: [Entity<Dog>("Dog")]),
            CoreStoreSchema(modelVersion: "V2", entities: [Entity<NewDog>("Dog")])
        )
        let place = try Place(.sqlite)
        try place.fill(new) { $0.create(Into<NewDog>()).name = "Rex" }
        func add(_ schema: CoreStoreSchema) throws -> DataStack {
            let stack = DataStack(schema)
            try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
            return stack
        }
        // The unknown attribute has its default value, which does not count as data.
        #expect(try add(old).fetchCount(From<Dog>()) == 1)
        let stack = try add(new)
        try stack.perform(synchronous: { try $0.fetchOne(From<NewDog>())?.age = 7 })
        stack.unsafeRemoveAllPersistentStoresAndWait()
        let error = #expect(throws: CoreStoreError.self) { try add(old) }
        #expect(
            error?.description == """
                mappingModelNotFound: '\(place.file.path)' contains version 'V2' of the model, which is unknown to \
                this program. The schema history has 'V1', and no migration chain. If the store was written with \
                schema 'V1', that schema has changed since. A newer program may have written the store. Update this \
                program, or add the schema 'V2' to the history. The store is not migrated synchronously, because data \
                would be lost: version 'V1' drops the value of 'Dog.age' in 1 object.
                """)
        #expect(try add(new).fetchOne(From<NewDog>())?.age == 7)
        // A migration that keeps the objects loses less data than recreating the store.
        let recreating = DataStack(old)
        try recreating.addStorageAndWait(
            place.sqlite([.allowSynchronousLightweightMigration, .recreateStoreOnModelMismatch]))
        #expect(try recreating.fetchAll(From<Dog>()).map(\.name) == ["Rex"])
    }

    @Test(.pins("MIG-13"), arguments: TestBackend.allCases)
    func `the error about a version outside the chain names the version and the chain`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend, V1.schema)
        let history = SchemaHistory(
            allSchema: [V1.schema, V2.schema, V3.schema], migrationChain: ["V2", "V3"])
        try await check(
            place, DataStack(schemaHistory: history),
            """
            contains version 'V1' of the model, but there are no steps to 'V3'. The schema history has 'V1', 'V2', 'V3', \
            and the chain 'V2' → 'V3'. Add 'V1' to the migration chain.
            """)
    }

    @Test(.pins("MIG-13"), arguments: TestBackend.allCases)
    func `the error about a changed schema with the same version names the changed entities`(
        _ backend: TestBackend
    ) async throws {
        let place = try place(backend, V1.schema)
        let changed = CoreStoreSchema(
            modelVersion: "V1",
            entities: [Entity<V2.Person>("Person"), Entity<V2.Dog>("Dog"), Entity<V2.Club>("Club")])
        try await check(
            place, DataStack(changed),
            """
            contains version 'V1' of the model, in which 'Club', 'Dog', 'Person' differs from the schema 'V1' of this \
            program. Restore that schema. Give the changed schema a new version, and add a step from 'V1' to it.
            """)
    }

    @Test(.pins("STO-24"), arguments: TestBackend.allCases)
    func `opening an older version without a migration fails, and the error suggests addStorage`(
        _ backend: TestBackend
    ) throws {
        let place = try place(backend, V1.schema)
        let error = #expect(throws: CoreStoreError.self) {
            try TestStack.add(place.makeStore(), to: DataStack(schemaHistory: [V1.schema, V2.schema]))
        }
        #expect(
            error?.description == """
                schemaMismatch: \(place.storeDescription) contains version 'V1' of the model, but this program uses \
                'V2'. Add the store with 'addStorage', which migrates it (open, \(place.storeDescription)).
                """)
    }

    @Test(arguments: TestBackend.allCases)
    func `storedModelVersion returns the version of a store, or nil for a new store`(_ backend: TestBackend) throws {
        let place = try place(backend)
        #expect(try place.makeStore().storedModelVersion() == "V2")
        let other = try Place(backend)
        #expect(try other.makeStore().storedModelVersion() == nil)
    }

    @Test(.pins("SCH-33"), arguments: TestBackend.allCases)
    func `a store can be opened without a migration after a delete rule changes`(_ backend: TestBackend) async throws {
        final class Keeper: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("dogs", inverse: \.$keeper) var dogs: Set<Kept>
        }
        final class Kept: CoreStoreObject {
            @Field.Relationship("keeper") var keeper: Keeper?
        }
        final class Guardian: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("dogs", inverse: \.$keeper, deleteRule: .cascade) var dogs: Set<Guarded>
        }
        final class Guarded: CoreStoreObject {
            @Field.Relationship("keeper") var keeper: Guardian?
        }
        let place = try Place(backend)
        let before = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Keeper>("Keeper"), Entity<Kept>("Kept")])
        try place.fill(before) { transaction in
            transaction.create(Into<Kept>()).keeper = transaction.create(Into<Keeper>())
        }
        let after = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Guardian>("Keeper"), Entity<Guarded>("Kept")])
        #expect(before.rawModel().storeModel.versionHashes != after.rawModel().storeModel.versionHashes)
        let stack = DataStack(after)
        let store = try place.makeStore()
        #expect(try stack.requiredMigrationsForStorage(store).isEmpty)
        try TestStack.add(store, to: stack)
        try stack.perform(synchronous: { _ = try $0.deleteAll(From<Guardian>()) })
        #expect(try stack.fetchCount(From<Guarded>()) == 0)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }
}
