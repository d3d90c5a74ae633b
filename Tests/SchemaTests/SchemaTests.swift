import Coffer
import CofferSQLite
import Foundation
import TestSupport
import Testing

/// Schemas, their configurations, histories and locks.
@MainActor
struct SchemaTests {
    private final class Letter: CoreStoreObject {
        @Field.Stored("text") var text: String = ""
    }

    private final class Stamp: CoreStoreObject {
        @Field.Stored("price") var price: Int = 0
    }

    private final class Letter2: CoreStoreObject {
        @Field.Stored("text") var text: String = ""
        @Field.Stored("sent") var sent: Bool = false
    }

    private func schema(_ version: String) -> CoreStoreSchema {
        CoreStoreSchema(modelVersion: version, entities: [Entity<Letter>("Letter"), Entity<Stamp>("Stamp")])
    }

    @Test(.pins("SCH-30"), arguments: TestBackend.allCases)
    func `an entity belongs to its configurations and to the default configuration`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(
            modelVersion: "V1",
            entityConfigurations: [Entity<Letter>("Letter"): ["Mail", "Archive"], Entity<Stamp>("Stamp"): ["Mail"]]
        )
        let test = try TestStack(backend, schema)
        try test.addStore(configuration: "Mail")
        try test.addStore(configuration: "Archive")
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Letter>("Archive")).text = "archived"
            transaction.create(Into<Letter>("Mail")).text = "mailed"
            transaction.create(Into<Letter>(nil)).text = "kept"
            transaction.create(Into<Stamp>(nil)).price = 1
            transaction.create(Into<Stamp>("Mail")).price = 2
        })
        #expect(try test.stack.fetchAll(From<Letter>("Archive")).map(\.text) == ["archived"])
        #expect(try test.stack.fetchAll(From<Stamp>("Mail")).map(\.price) == [2])
        #expect(try test.stack.fetchCount(From<Letter>()) == 3)
        let error = #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Stamp>("Archive")) }
        #expect(
            error?.description
                == "persistentStoreNotFound: The data stack has no storage for 'Stamp'. If the schema has no "
                + "'Entity<Stamp>', add it. If no storage was added or all storages were removed, call "
                + "'addStorageAndWait'."
        )
        #expect(try test.stack.fetchAll(From<Letter>("PF_DEFAULT_CONFIGURATION_NAME")).map(\.text) == ["kept"])
        let unknown = #expect(throws: CoreStoreError.self) { try test.addStore(configuration: "Nowhere") }
        #expect(unknown?.storageError?.code == .invalidModel)
    }

    @Test(.pins("SCH-30"), arguments: TestBackend.allCases)
    func `an entity without a configuration is in the default one, selected by nil or by its name`(
        _ backend: TestBackend
    ) throws {
        let name = "PF_DEFAULT_CONFIGURATION_NAME"
        let schema = CoreStoreSchema(
            modelVersion: "V1", entityConfigurations: [Entity<Letter>("Letter"): ["Mail"], Entity<Stamp>("Stamp"): []]
        )
        let test = try TestStack(backend, schema)
        try test.addStore(configuration: "Mail")
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Stamp>()).price = 1
            transaction.create(Into<Stamp>(name)).price = 2
            transaction.create(Into<Letter>(name)).text = "kept"
            transaction.create(Into<Letter>("Mail")).text = "mailed"
        })
        #expect(try test.stack.fetchAll(From<Stamp>(nil).orderBy(.ascending(\.$price))).map(\.price) == [1, 2])
        #expect(try test.stack.fetchAll(From<Letter>(nil)).map(\.text) == ["kept"])
        #expect(try test.stack.fetchAll(From<Letter>(name)).map(\.text) == ["kept"])
        #expect(try test.stack.fetchAll(From<Letter>("Mail")).map(\.text) == ["mailed"])
        #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Stamp>("Mail")) }
        // A schema without configurations has the default one only.
        let stack = DataStack(self.schema("V1"))
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let error = #expect(throws: CoreStoreError.self) {
            try TestStack.addStore(backend, to: stack, in: directory, configuration: "Mail")
        }
        #expect(error?.storageError?.code == .invalidModel)
        try TestStack.addStore(backend, to: stack, in: directory, configuration: name)
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        try stack.perform(synchronous: { $0.create(Into<Stamp>(nil)).price = 3 })
        #expect(try stack.fetchAll(From<Stamp>(name)).map(\.price) == [3])
        #expect(try stack.fetchAll(From<Stamp>()).map(\.price) == [3])
    }

    @Test(.pins("SCH-31")) func `the model of a schema is built once`() {
        let schema = schema("V1")
        #expect(schema.rawModel() === schema.rawModel())
        #expect(schema.rawModel() == self.schema("V1").rawModel())
        #expect(schema.rawModel() != self.schema("V2").rawModel())
        #expect(schema.rawModel().storeModel.entities.map(\.name) == ["Letter", "Stamp"])
    }

    @Test(.pins("SCH-35")) func `version locks are equal if their hashes are equal`() {
        let lock: VersionLock = ["Letter": [1, 2, 3, 4], "Stamp": [5, 6, 7, 8]]
        #expect(lock == VersionLock(["Stamp": [5, 6, 7, 8], "Letter": [1, 2, 3, 4]]))
        #expect(lock != ["Letter": [1, 2, 3, 4]])
        #expect(lock != ["Letter": [1, 2, 3, 4], "Stamp": [5, 6, 7, 9]])
        #expect(lock.hashesByEntityName["Stamp"]?.map { $0 } == [5, 6, 7, 8].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] })
    }

    @Test(.pins("SCH-36")) func `the current version is the exact one, the only one or the end of the chain`() {
        #expect(SchemaHistory(schema("A")).currentModelVersion == "A")
        let exact = SchemaHistory(schema("A"), schema("B"), exactCurrentModelVersion: "B")
        #expect(exact.currentModelVersion == "B")
        #expect(exact.currentSchema.modelVersion == "B")
        let chained = SchemaHistory(schema("B"), schema("A"), schema("C"), migrationChain: ["A", "B", "C"])
        #expect(chained.currentModelVersion == "C")
        // The chain has two ends, and one of them has a schema.
        RecordingLogger.record("'X' → 'Y'") {
            let branched = SchemaHistory(schema("A"), schema("C"), migrationChain: ["A": "C", "X": "Y"])
            #expect(branched.currentModelVersion == "C")
        }
        let held = SchemaHistory(
            schema("A"), schema("B"), migrationChain: ["A", "B"], exactCurrentModelVersion: "A"
        )
        #expect(held.currentModelVersion == "A")
        #expect(DataStack(schemaHistory: held).modelVersion == "A")
    }

    @Test(.pins("SCH-36")) func `a history without a current version stops the program`() async {
        func text(_ result: ExitTest.Result?) -> String {
            String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        }
        let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(allSchema: [])
        }
        #expect(text(empty).contains("A schema history needs at least one schema."))
        let several = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(
                CoreStoreSchema(modelVersion: "A", entities: []), CoreStoreSchema(modelVersion: "B", entities: [])
            )
        }
        #expect(
            text(several).contains(
                "The schema history has 2 schemas and no migration chain. Write migrationChain: [\"A\", \"B\"], with the "
                    + "oldest version first, or name the current version with exactCurrentModelVersion."
            )
        )
        let headless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(
                CoreStoreSchema(modelVersion: "Version 1", entities: []), migrationChain: ["Version 0", "Verson 1"])
        }
        #expect(
            text(headless).contains(
                "The current version cannot be determined from the migration chain 'Version 0' → 'Verson 1': no end of "
                    + "the chain has a schema. Did you mean 'Version 1'? Name the current version with "
                    + "exactCurrentModelVersion.")
        )
        let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(CoreStoreSchema(modelVersion: "A", entities: []), exactCurrentModelVersion: "B")
        }
        #expect(
            text(missing).contains(
                "The current version 'B' must be among the schemas and in the migration chain."
            )
        )
    }

    @Test(.pins("SCH-36"), arguments: TestBackend.allCases)
    func `a chain with a version that has no schema is refused`(_ backend: TestBackend) throws {
        let text = """
            The migration chain 'one' → 'two' → 'three' has the version 'two', but the schema history has no schema of that \
            version. Add its schema, or remove the version from the chain.
            """
        var history: SchemaHistory?
        let log = RecordingLogger.record("'one' → 'two' → 'three'") {
            history = SchemaHistory(schema("one"), schema("three"), migrationChain: ["one", "two", "three"])
        }
        #expect(log.assertions == [text])
        let stack = DataStack(schemaHistory: try #require(history))
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        let error = #expect(throws: CoreStoreError.self) { try TestStack.addStore(backend, to: stack, in: directory) }
        #expect(error?.storageError?.code == .invalidModel)
        #expect(error?.storageError?.message == text)
        let forecast = #expect(throws: CoreStoreError.self) {
            try stack.requiredMigrationsForStorage(backend.makeStore("default", in: directory))
        }
        #expect(forecast?.storageError?.message == text)
    }

    @Test(.pins("SCH-36")) func `a misspelt version in a chain is logged with a suggestion`() {
        let log = RecordingLogger.record("'First'") {
            _ = SchemaHistory(
                schema("Fisrt"), schema("Second"), migrationChain: ["First", "Second"])
        }
        #expect(
            log.assertions == [
                "The migration chain 'First' → 'Second' has the version 'First', but the schema history has no schema of that "
                    + "version. Did you mean 'Fisrt'?"
            ])
    }

    @Test(.pins("SCH-37")) func `an array literal creates a linear chain whose last version is current`() {
        let history: SchemaHistory = [schema("A"), schema("B"), schema("C")]
        #expect(history.currentModelVersion == "C")
        #expect(history.migrationChain == MigrationChain(["A", "B", "C"]))
    }

    @Test(.pins("SCH-38")) func `a store matches a schema only if the hashes of all entities match`() throws {
        let directory = try TestStack.makeDirectory()
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appending(path: "letters.sqlite")
        func open(_ schema: CoreStoreSchema) -> StorageError.Code? {
            do {
                let stack = DataStack(schema)
                try stack.addStorageAndWait(SQLiteStore(fileURL: url))
                stack.unsafeRemoveAllPersistentStoresAndWait()
                return nil
            } catch { return error.storageError?.code ?? .failed }
        }
        #expect(open(schema("V1")) == nil)
        // Another version name or other indexes do not change the hashes.
        #expect(open(schema("another name")) == nil)
        let indexed = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Stamp>("Stamp", indexes: [[\.$price]]), Entity<Letter>("Letter")]
        )
        #expect(open(indexed) == nil)
        // One entity differs, is missing, or is additional.
        let other = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Letter2>("Letter"), Entity<Stamp>("Stamp")])
        #expect(open(other) == .schemaMismatch)
        #expect(open(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Letter>("Letter")])) == .schemaMismatch)
        let more = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Letter>("Letter"), Entity<Stamp>("Stamp"), Entity<Letter2>("More")]
        )
        #expect(open(more) == .schemaMismatch)
        #expect(open(schema("V1")) == nil)
    }
}
