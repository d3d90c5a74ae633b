import Coffer
import CofferStorage
import TestSupport
import Testing

/// The migration of entities that no mapping names, and of named entities that both versions contain.
@MainActor
struct UnmentionedEntityTests {
    private final class Same: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    private final class Changed: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("size") var size: Int16 = 0
    }

    private final class Changing: CoreStoreObject {
        @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
        @Field.Stored("size") var size: Int = 0
        @Field.Stored("mood") var mood: String = "fine"
    }

    @Test(.pins("MIG-32"), arguments: TestBackend.allCases)
    func `entities without a mapping are copied, transformed, deleted and inserted`(
        _ backend: TestBackend
    ) async throws {
        let first = CoreStoreSchema(
            modelVersion: "V1",
            entities: [Entity<Same>("Same"), Entity<Changed>("Changed"), Entity<V1Gone>("Gone"), Entity<Old>("Old")])
        let second = CoreStoreSchema(
            modelVersion: "V2",
            entities: [Entity<Same>("Same"), Entity<Changing>("Changed"), Entity<Added>("Added"), Entity<Old>("Old")])
        let provider = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Old", destinationEntity: "Old",
                    transformer: { source, create in create()["name"] = "\(source["name"] ?? "")!" })
            ])
        let place = try Place(backend, [provider])
        try place.fill(first) { transaction in
            transaction.create(Into<Same>()).name = "same"
            let changed = transaction.create(Into<Changed>())
            (changed.name, changed.size) = ("changed", 7)
            transaction.create(Into<V1Gone>()).name = "gone"
            transaction.create(Into<Old>()).name = "old"
        }
        let stack = try await place.stack(first, second)
        #expect(try stack.fetchAll(From<Same>()).map(\.name) == ["same"])
        let changed = try #require(try stack.fetchOne(From<Changing>()))
        #expect(changed.title == "changed" && changed.size == 7 && changed.mood == "fine")
        #expect(try stack.fetchCount(From<Added>()) == 0)
        #expect(try stack.fetchAll(From<Old>()).map(\.name) == ["old!"])
        try stack.perform(synchronous: { $0.create(Into<Added>()).name = "added" })
        #expect(try stack.fetchAll(From<Added>()).map(\.name) == ["added"])
        #expect(try place.makeStore().inspect()?.model.entity(named: "Gone") == nil)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    private final class V1Gone: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    private final class Old: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    private final class Added: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
    }

    @Test(.pins("MIG-32"), arguments: TestBackend.allCases)
    func `an entity that a mapping deletes or inserts exists after the migration without objects`(
        _ backend: TestBackend
    ) async throws {
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Same>("Same"), Entity<Old>("Old")])
        let second = CoreStoreSchema(
            modelVersion: "V2", entities: [Entity<Same>("Same"), Entity<Old>("Old"), Entity<Added>("Added")])
        for mapping in [
            CustomSchemaMappingProvider.CustomMapping.deleteEntity(sourceEntity: "Old"),
            .insertEntity(destinationEntity: "Old"),
        ] {
            let place = try Place(
                backend, [CustomSchemaMappingProvider(from: "V1", to: "V2", entityMappings: [mapping])])
            try place.fill(first) { transaction in
                transaction.create(Into<Same>()).name = "same"
                transaction.create(Into<Old>()).name = "old"
            }
            let stack = try await place.stack(first, second)
            #expect(try stack.fetchAll(From<Same>()).map(\.name) == ["same"])
            #expect(try stack.fetchCount(From<Old>()) == 0)
            try stack.perform(synchronous: { $0.create(Into<Old>()).name = "new" })
            #expect(try stack.fetchAll(From<Old>()).map(\.name) == ["new"])
            stack.unsafeRemoveAllPersistentStoresAndWait()
        }
    }

    @Test(.pins("MIG-31"), arguments: TestBackend.allCases)
    func `an entity only in the old version is deleted, and one only in the new version is empty`(
        _ backend: TestBackend
    ) async throws {
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Same>("Same"), Entity<V1Gone>("Gone")])
        let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Same>("Same"), Entity<Added>("Added")])
        let provider = CustomSchemaMappingProvider(
            from: "V1", to: "V2",
            entityMappings: [.deleteEntity(sourceEntity: "Gone"), .insertEntity(destinationEntity: "Added")])
        let place = try Place(backend, [provider])
        try place.fill(first) { transaction in
            transaction.create(Into<Same>()).name = "same"
            transaction.create(Into<V1Gone>()).name = "gone"
        }
        let stack = try await place.stack(first, second)
        #expect(try stack.fetchAll(From<Same>()).map(\.name) == ["same"])
        #expect(try stack.fetchCount(From<Added>()) == 0)
        try stack.perform(synchronous: { $0.create(Into<Added>()).name = "added" })
        #expect(try stack.fetchAll(From<Added>()).map(\.name) == ["added"])
        #expect(try place.makeStore().inspect()?.model.entity(named: "Gone") == nil)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a required attribute may become optional, and keeps its values`(_ backend: TestBackend) async throws {
        final class Loose: CoreStoreObject {
            @Field.Stored("name") var name: String?
            @Field.Stored("size") var size: Int?
        }
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Changed>("Boat")])
        let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Loose>("Boat")])
        let place = try Place(backend)
        try place.fill(first) { transaction in
            let boat = transaction.create(Into<Changed>())
            (boat.name, boat.size) = ("Ark", 7)
        }
        let stack = try await place.stack(first, second)
        let ark = try #require(try stack.fetchOne(From<Loose>()))
        #expect(ark.name == "Ark" && ark.size == 7)
        try stack.perform(synchronous: { transaction in
            let own = try #require(transaction.edit(ark))
            (own.name, own.size) = (nil, nil)
        })
        #expect(try stack.fetchCount(From<Loose>().where(\.$name == nil)) == 1)
        stack.unsafeRemoveAllPersistentStoresAndWait()
    }
}
