import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

/// Histories without a usable current version, stores and their schemas, and models that several threads request.
@MainActor
struct SchemaHistoryTests {
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

    @Test(.pins("SCH-36")) func `an exact version outside the chain stops the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(
                CoreStoreSchema(modelVersion: "A", entities: []), CoreStoreSchema(modelVersion: "B", entities: []),
                CoreStoreSchema(modelVersion: "C", entities: []), migrationChain: ["A", "B"],
                exactCurrentModelVersion: "C")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("The current version 'C' must be among the schemas and in the migration chain."))
    }

    @Test(.pins("SCH-36")) func `a chain with two ends that have schemas stops the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = SchemaHistory(
                CoreStoreSchema(modelVersion: "A", entities: []), CoreStoreSchema(modelVersion: "B", entities: []),
                CoreStoreSchema(modelVersion: "C", entities: []), CoreStoreSchema(modelVersion: "D", entities: []),
                migrationChain: ["A": "B", "C": "D"])
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            text.contains(
                "The current version cannot be determined from the migration chain 'A' → 'B', 'C' → 'D': more than one "
                    + "end of the chain has a schema. Name the current version with exactCurrentModelVersion."))
    }

    @Test(.pins("SCH-36")) func `an invalid migration chain logs an assertion`() {
        let log = RecordingLogger.record("igration chain") {
            let chain = MigrationChain([("odd", "even"), ("even", "odd")])
            _ = SchemaHistory(schema("odd"), schema("even"), migrationChain: chain, exactCurrentModelVersion: "odd")
        }
        #expect(
            log.assertions == [
                "The migration chain has a loop.",
                "The migration chain of the schema history is not valid.",
            ])
    }

    @Test(.pins("SCH-38"), arguments: TestBackend.persistent)
    func `a store of every backend is recognised by the hashes of all entities`(_ backend: TestBackend) throws {
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        func open(_ schema: CoreStoreSchema) -> StorageError.Code? {
            let stack = DataStack(schema)
            defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
            do {
                try TestStack.addStore(backend, to: stack, in: directory)
                return nil
            } catch {
                return (error as? CoreStoreError)?.storageError?.code ?? .failed
            }
        }
        func schema(_ version: String, _ entities: DynamicEntity...) -> CoreStoreSchema {
            CoreStoreSchema(modelVersion: version, entities: entities)
        }
        let (letter, stamp) = (Entity<Letter>("Letter"), Entity<Stamp>("Stamp"))
        #expect(open(schema("V1", letter, stamp)) == nil)
        #expect(open(schema("another name", stamp, letter)) == nil)
        #expect(open(schema("V1", Entity<Letter2>("Letter"), stamp)) == .schemaMismatch)
        #expect(open(schema("V1", letter)) == .schemaMismatch)
        #expect(open(schema("V1", letter, stamp, Entity<Letter2>("More"))) == .schemaMismatch)
        #expect(open(schema("V1", Entity<Letter>("Letter", versionHashModifier: "2"), stamp)) == .schemaMismatch)
        #expect(open(schema("V1", letter, stamp)) == nil)
    }

    @Test(.pins("SCH-31")) func `threads that request a model at once receive the same model`() {
        final class Crane: CoreStoreObject {
            @Field.Stored("number") var number: Int = .random(in: 0...Int.max)
        }
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Crane>("Crane")])
        let models = Guarded<[ObjectModel]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let model = schema.rawModel()
            models.withLock { $0.append(model) }
        }
        let all = models.withLock { $0 }
        #expect(all.count == 16)
        #expect(Set(all.map(ObjectIdentifier.init)).count == 1)
        // The default was evaluated for one of the models only.
        let again = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Crane>("Crane")]).rawModel()
        #expect(again == all[0])
    }
}
