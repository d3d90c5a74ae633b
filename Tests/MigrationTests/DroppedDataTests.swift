import Coffer
import CofferStorage
import CofferStorageTools
import TestSupport
import Testing

/// Data that a later version cannot contain.
@MainActor
struct DroppedDataTests {
    final class Anchor: CoreStoreObject {
        @Field.Stored("weight") var weight: Int = 10
        @Field.Stored("colour") var colour: String?
        @Field.Coded("marks", coder: FieldCoders.Json.self) var marks: [String]?
        @Field.Relationship("chains") var chains: Set<Chain>
    }

    final class Chain: CoreStoreObject {
        @Field.Relationship("anchor", inverse: \.$chains) var anchor: Anchor?
    }

    final class Buoy: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    final class Plain: CoreStoreObject {
        @Field.Stored("mass", previousVersionKeyPath: "weight") var mass: Int = 10
        @Field.Stored("colour") var colour: String?
    }

    final class Bare: CoreStoreObject {
        @Field.Stored("size") var size: Int = 1
    }

    private func schema(_ version: String, _ entities: DynamicEntity...) -> CoreStoreSchema {
        CoreStoreSchema(modelVersion: version, entities: entities)
    }

    private var schemas: [CoreStoreSchema] {
        [
            schema("V1", Entity<Anchor>("Anchor"), Entity<Chain>("Chain"), Entity<Buoy>("Buoy")),
            schema("V2", Entity<Plain>("Anchor")), schema("V3", Entity<Bare>("Anchor")),
        ]
    }

    private func history(_ count: Int) -> SchemaHistory {
        SchemaHistory(
            allSchema: Array(schemas.prefix(count)), migrationChain: MigrationChain(["V1", "V2", "V3"].prefix(count)))
    }

    private func place(_ backend: TestBackend) throws -> Place {
        let place = try Place(backend)
        try place.fill(schemas[0]) { transaction in
            let anchors = (0..<4).map { _ in transaction.create(Into<Anchor>()) }
            anchors[0].weight = 20
            for anchor in anchors.prefix(2) { anchor.colour = "red" }
            for anchor in anchors.prefix(3) { anchor.marks = ["m"] }
            transaction.create(Into<Chain>()).anchor = anchors[3]
            _ = transaction.create(Into<Buoy>())
        }
        return place
    }

    /// The dropped data; values that equal their defaults are not reported.
    private let dropped = [
        "version 'V2' drops 'Buoy' with 1 object", "version 'V2' drops 'Chain' with 1 object",
        "version 'V2' drops the value of 'Anchor.chains' in 1 object",
        "version 'V2' drops the value of 'Anchor.marks' in 3 objects",
        "version 'V3' drops the value of 'Anchor.colour' in 2 objects",
        "version 'V3' drops the value of 'Anchor.weight' in 1 object",
    ]

    @Test(.pins("MIG-15"), arguments: TestBackend.allCases)
    func `the forecast lists the entities and fields whose values a migration drops`(
        _ backend: TestBackend
    ) throws {
        let place = try place(backend)
        let store = try place.makeStore()
        let before = try store.inspect()
        #expect(try forecast(store, 3).map(\.description).sorted() == dropped)
        #expect(try forecast(store, 2).map(\.description).sorted() == Array(dropped.prefix(4)))
        #expect(try forecast(store, 1) == [])
        #expect(
            try forecast(store, 3).first { $0.property == "colour" }.map {
                "\($0.version) \($0.entity) \($0.objectCount)"
            }
                == "V3 Anchor 2")
        #expect(try store.inspect() == before)
    }

    private func forecast(_ store: some StorageInterface, _ count: Int) throws -> [DroppedData] {
        try DataStack(schemaHistory: history(count)).droppedDataForStorage(store)
    }

    @Test(.pins("MIG-15"), arguments: TestBackend.allCases)
    func `a migration logs the data that it drops`(_ backend: TestBackend) async throws {
        let place = try place(backend)
        let stack = DataStack(schemaHistory: history(3))
        let name = place.storeDescription
        let log = try await RecordingLogger.record("migration of \(name) drops") { try await place.add(to: stack) }
        // All stores in memory have the same name.
        let own = log.messages(.warning).filter { message in
            ["'Anchor", "'Buoy", "'Chain"].contains { message.contains($0) }
        }
        #expect(own.sorted() == dropped.map { "The migration of \(name) drops data: \($0)." })
        #expect(try stack.fetchCount(From<Bare>()) == 4)
    }

    @Test(.pins("STO-24")) func `a synchronous migration logs the data that it drops`() throws {
        let place = try place(.sqlite)
        let stack = DataStack(schemaHistory: history(2))
        let log = try RecordingLogger.record("store.sqlite' drops data") {
            try stack.addStorageAndWait(place.sqlite(.allowSynchronousLightweightMigration))
        }
        #expect(log.messages(.warning).count == 4)
    }

    @Test(.pins("MIG-15"), arguments: TestBackend.allCases)
    func `the forecast does not list data that a custom mapping transforms`(_ backend: TestBackend) throws {
        let provider = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Anchor", destinationEntity: "Anchor",
                    transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation)
            ])
        let place = try Place(backend, [provider])
        try place.fill(schemas[0]) { $0.create(Into<Anchor>()).marks = ["m"] }
        #expect(try forecast(place.makeStore(), 2) == [])
    }
}
