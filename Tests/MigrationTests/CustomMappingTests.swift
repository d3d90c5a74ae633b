import Coffer
import CofferInMemory
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Migration steps with custom mappings.
@MainActor
struct CustomMappingTests {
    typealias Provider = CustomSchemaMappingProvider
    typealias Mapping = CustomSchemaMappingProvider.CustomMapping

    private static func people(_ transformer: @escaping Mapping.Transformer) -> Provider {
        Provider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(sourceEntity: "Person", destinationEntity: "Person", transformer: transformer)
            ]
        )
    }

    @Test(.pins("MIG-33"), arguments: TestBackend.allCases)
    func `a transformer reads, creates and changes objects, and can leave objects out`(
        _ backend: TestBackend
    ) async throws {
        let provider = Self.people { source, createDestination in
            #expect(source["nick"] == nil || source["nick"] as? String == "annie")
            guard (source["age"] as? Int ?? 0) < 40 else { return }
            let destination = createDestination()
            #expect(createDestination() === destination)
            #expect(destination["mood"] as? String == "fine")
            destination["fullName"] = "\(source["name"] ?? "") the First"
            destination["years"] = (source["age"] as! Int) + 1
            destination["mood"] = nil as String? ?? "good"
        }
        let place = try Place(backend, [provider])
        try place.fill(V1.schema) { V1.fill($0) }
        let found = try await place.stack(V1.schema, V2.schema).fetchAll(From<V2.Person>())
        #expect(found.map(\.fullName) == ["Ann the First"])
        #expect(found.map(\.years) == [31] && found.map(\.mood) == ["good"] && found.map(\.nick) == ["nobody"])
    }

    @Test(.pins("MIG-33"), arguments: TestBackend.allCases)
    func `attributes are enumerated once, together with their source attributes`(_ backend: TestBackend) async throws {
        class Animal: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Cat: Animal {
            @Field.Stored("lives") var lives: Int = 9
        }
        class NewAnimal: CoreStoreObject {
            @Field.Stored("called", previousVersionKeyPath: "name") var called: String = ""
        }
        final class NewCat: NewAnimal {
            @Field.Stored("lives") var lives: Int = 9
            @Field.Stored("colour") var colour: String?
        }
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Animal>("Animal"), Entity<Cat>("Cat")])
        let second = CoreStoreSchema(
            modelVersion: "V2", entities: [Entity<NewAnimal>("Animal"), Entity<NewCat>("Cat")])
        let provider = Provider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Cat", destinationEntity: "Cat",
                    transformer: { source, createDestination in
                        var names: [String] = []
                        source.enumerateAttributes { names.append($0.name) }
                        #expect(names == ["name", "lives"])
                        let destination = createDestination()
                        var pairs: [String] = []
                        destination.enumerateAttributes { attribute, sourceAttribute in
                            pairs.append("\(attribute.name) \(sourceAttribute?.name ?? "-")")
                            if let sourceAttribute { destination[attribute] = source[sourceAttribute] }
                        }
                        #expect(pairs == ["called name", "lives lives", "colour -"])
                    })
            ]
        )
        let place = try Place(backend, [provider])
        try place.fill(first) { transaction in
            transaction.create(Into<Cat>()).name = "Tom"
            transaction.create(Into<Animal>()).name = "Jerry"
        }
        let stack = try await place.stack(first, second)
        #expect(try stack.fetchAll(From<NewCat>()).map(\.called) == ["Tom"])
        #expect(try stack.fetchCount(From<NewAnimal>()) == 2)
    }

    @Test(.pins("MIG-33"), arguments: TestBackend.allCases)
    func `an error of a transformer ends the migration and leaves the store unchanged`(
        _ backend: TestBackend
    ) async throws {
        struct Refusal: Error {}
        let place = try Place(backend, [Self.people { _, _ in throw Refusal() }])
        try place.fill(V1.schema) { V1.fill($0) }
        guard case .userError(let error)? = await place.failure(V1.schema, V2.schema) else {
            Issue.record("The migration should throw the error of the transformer.")
            return
        }
        #expect(error is Refusal)
        #expect(try await place.stack(V1.schema).fetchCount(From<V1.Person>()) == 2)
    }

    @Test(.pins("MIG-33"), arguments: TestBackend.allCases)
    func `a value that an attribute cannot hold is refused, and the error names the attribute`(
        _ backend: TestBackend
    ) async throws {
        let place = try Place(backend, [Self.people { $1()["years"] = $0["name"] }])
        try place.fill(V1.schema) { V1.fill($0) }
        let error = await place.failure(V1.schema, V2.schema)?.storageError
        #expect(
            error?.description
                == "invalidValue: 'Person.years' is integer and cannot store the value that the transformation of row "
                + "1 sets. Convert the value first (migrate, \(place.storeDescription)).")
    }

    @Test(.pins("MIG-33"), arguments: TestBackend.allCases)
    func `NaN is refused for double and decimal attributes`(_ backend: TestBackend) async throws {
        final class Person: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Weighed: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("weight") var weight: Double = 0
            @Field.Stored("price") var price: Decimal = 0
        }
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Person>("Person")])
        let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Weighed>("Person")])
        for (name, provider) in [
            ("weight", Self.people { $1()["weight"] = Double.nan }),
            ("price", Self.people { $1()["price"] = Decimal.nan }),
        ] {
            let place = try Place(backend, [provider])
            try place.fill(first) { _ = $0.create(Into<Person>()) }
            let error = await place.failure(first, second)?.storageError
            #expect(error?.code == .invalidValue)
            #expect(error?.message.hasPrefix("'Person.\(name)' is ") == true)
        }
    }

    @Test(.pins("MIG-34"), arguments: TestBackend.allCases)
    func `the inferred transformation copies values and can be adjusted`(_ backend: TestBackend) async throws {
        let provider = Self.people { source, createDestination in
            try Mapping.inferredTransformation(source, createDestination)
            createDestination()["mood"] = "new"
        }
        let place = try Place(backend, [provider])
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let found = try stack.fetchAll(From<V2.Person>().orderBy(.ascending(\.$fullName)))
        #expect(found.map(\.fullName) == ["Ann", "Bob"] && found.map(\.years) == [30, 40])
        #expect(found.map(\.nick) == ["annie", "nobody"] && found.map(\.mood) == ["new", "new"])
    }

    @Test(.pins("MIG-31", "MIG-32"), arguments: TestBackend.allCases)
    func `entities can be deleted or start empty, and the other entities are inferred`(
        _ backend: TestBackend
    ) async throws {
        let provider = Provider(
            from: "V1", to: "V2",
            entityMappings: [.deleteEntity(sourceEntity: "Dog"), .insertEntity(destinationEntity: "Club")]
        )
        let place = try Place(backend, [provider])
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        #expect(try stack.fetchCount(From<V2.Dog>()) == 0)
        #expect(try stack.fetchCount(From<V2.Club>()) == 0)
        let people = try stack.fetchAll(From<V2.Person>())
        #expect(people.map(\.fullName) == ["Ann", "Bob"])
        #expect(people.allSatisfy { $0.pets.isEmpty && $0.groups.isEmpty })
    }

    @Test(.pins("MIG-31"), arguments: TestBackend.allCases)
    func `an entity is copied under another name`(_ backend: TestBackend) async throws {
        final class Note: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        final class Memo: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])
        let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Memo>("Memo")])
        let provider = Provider(
            from: "V1", to: "V2", entityMappings: [.copyEntity(sourceEntity: "Note", destinationEntity: "Memo")])
        let place = try Place(backend, [provider])
        try place.fill(first) { $0.create(Into<Note>()).text = "kept" }
        #expect(try await place.stack(first, second).fetchAll(From<Memo>()).map(\.text) == ["kept"])
    }

    @Test(.pins("MIG-31"), arguments: TestBackend.allCases)
    func `a transformer is called once for each object, also for an entity with another name`(
        _ backend: TestBackend
    ) async throws {
        final class Note: CoreStoreObject {
            @Field.Stored("text") var text: String = ""
        }
        final class Memo: CoreStoreObject {
            @Field.Stored("line") var line: String = ""
        }
        let first = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Note>("Note")])
        let second = CoreStoreSchema(modelVersion: "V2", entities: [Entity<Memo>("Memo")])
        let passed = Locked<[String]>([])
        let provider = Provider(
            from: "V1", to: "V2",
            entityMappings: [
                .transformEntity(
                    sourceEntity: "Note", destinationEntity: "Memo",
                    transformer: { source, createDestination in
                        let text = source["text"] as? String ?? ""
                        passed.withLock { $0.append(text) }
                        createDestination()["line"] = text + "!"
                    })
            ])
        let place = try Place(backend, [provider])
        try place.fill(first) { transaction in
            for text in ["a", "b", "c"] { transaction.create(Into<Note>()).text = text }
        }
        let stack = try await place.stack(first, second)
        let memos = try stack.fetchAll(From<Memo>().orderBy(.ascending(\.$line)))
        #expect(memos.map(\.line) == ["a!", "b!", "c!"])
        #expect(passed.withLock(\.self).sorted() == ["a", "b", "c"])
    }

    @Test(.pins("MIG-31", "MIG-32")) func `a mapping that names an unknown entity or cannot copy an entity is refused`()
        async throws
    {
        let wrong: [(Mapping, String)] = [
            (.deleteEntity(sourceEntity: "Ghost"), "names 'Ghost', which is not in version 'V1'"),
            (.insertEntity(destinationEntity: "Spirit"), "names 'Spirit', which is not in version 'V2'"),
            (.copyEntity(sourceEntity: "Person", destinationEntity: "Person"), "cannot be copied"),
            (
                .copyEntity(sourceEntity: "Phantom", destinationEntity: "Dog"),
                "names 'Phantom', which is not in version 'V1'"
            ),
            (
                .copyEntity(sourceEntity: "Dog", destinationEntity: "Shade"),
                "names 'Shade', which is not in version 'V2'"
            ),
            (
                .transformEntity(
                    sourceEntity: "Wraith", destinationEntity: "Dog", transformer: Mapping.inferredTransformation),
                "names 'Wraith', which is not in version 'V1'"
            ),
            (
                .transformEntity(
                    sourceEntity: "Dog", destinationEntity: "Ghoul", transformer: Mapping.inferredTransformation),
                "names 'Ghoul', which is not in version 'V2'"
            ),
        ]
        for (mapping, text) in wrong {
            let place = try Place(.memory, [Provider(from: "V1", to: "V2", entityMappings: [mapping])])
            try place.fill(V1.schema) { V1.fill($0) }
            var error: StorageError?
            let recording = await RecordingLogger.record(text) {
                error = await place.failure(V1.schema, V2.schema)?.storageError
            }
            #expect(error?.code == .invalidModel)
            #expect(error?.message.contains(text) == true, "\(error as Any)")
            #expect(recording.assertions.count == 1)
        }
    }

    @Test(.pins("MIG-31")) func `a provider that maps an entity twice fails an assertion`() {
        let recording = RecordingLogger.record("'Twin' twice") {
            _ = Provider(
                from: "V1", to: "V2",
                entityMappings: [
                    .deleteEntity(sourceEntity: "Twin"), .copyEntity(sourceEntity: "Twin", destinationEntity: "Twin"),
                ])
        }
        #expect(recording.assertions == ["The mappings from 'V1' to 'V2' name 'Twin' twice. Map each entity once."])
        let destinations = RecordingLogger.record("'Triplet' twice") {
            _ = Provider(
                from: "V1", to: "V2",
                entityMappings: [
                    .copyEntity(sourceEntity: "First", destinationEntity: "Triplet"),
                    .insertEntity(destinationEntity: "Triplet"),
                ])
        }
        #expect(
            destinations.assertions == ["The mappings from 'V1' to 'V2' name 'Triplet' twice. Map each entity once."])
    }

    @Test(.pins("MIG-36")) func `providers with equal versions are equal, and mappings with equal entities are equal`()
    {
        let one = Provider(from: "V1", to: "V2")
        #expect(one == Provider(from: "V1", to: "V2", entityMappings: [.deleteEntity(sourceEntity: "Dog")]))
        #expect(one != Provider(from: "V1", to: "V3") && one != Provider(from: "V0", to: "V2"))
        #expect(Set([one, Provider(from: "V1", to: "V2"), Provider(from: "V2", to: "V3")]).count == 2)
        let mapping = Mapping.transformEntity(sourceEntity: "A", destinationEntity: "B", transformer: { _, _ in })
        let other = Mapping.transformEntity(
            sourceEntity: "A", destinationEntity: "B", transformer: Mapping.inferredTransformation)
        #expect(mapping == other && Set([mapping, other]).count == 1)
        #expect(mapping != .copyEntity(sourceEntity: "A", destinationEntity: "B"))
        for (source, destination) in [("A", "C"), ("C", "B")] {
            let third = Mapping.transformEntity(
                sourceEntity: source, destinationEntity: destination, transformer: { _, _ in })
            #expect(mapping != third)
        }
        #expect(InferredSchemaMappingProvider() == InferredSchemaMappingProvider())
    }

    @Test(.pins("MIG-30"), arguments: TestBackend.allCases)
    func `providers for other steps are ignored, and the step is inferred`(
        _ backend: TestBackend
    ) async throws {
        let others = [("V1", "V3"), ("V0", "V2"), ("V2", "V1")].map { source, destination in
            Provider(from: source, to: destination, entityMappings: [.deleteEntity(sourceEntity: "Person")])
        }
        let place = try Place(backend, others)
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let people = try stack.fetchAll(From<V2.Person>().orderBy(.ascending(\.$fullName)))
        #expect(people.map(\.fullName) == ["Ann", "Bob"])
    }

    /// A provider as in a user's program.
    struct Deleting: SchemaMappingProvider {
        func migrationPlan(from source: StoreModel, to target: StoreModel) throws(StorageError) -> MigrationPlan? {
            MigrationPlan(from: source, to: target, entities: [])
        }
    }

    @Test(.pins("MIG-30"), arguments: TestBackend.allCases)
    func `the first provider for a step is used, whatever its type is`(
        _ backend: TestBackend
    ) async throws {
        let others: [any SchemaMappingProvider] = [
            InferredSchemaMappingProvider(),
            Provider(from: "V2", to: "V3", entityMappings: [.deleteEntity(sourceEntity: "Person")]),
            Self.people { source, createDestination in createDestination()["fullName"] = "first" },
            Self.people { source, createDestination in createDestination()["fullName"] = "second" },
        ]
        let place = try Place(backend, others)
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        #expect(try stack.fetchAll(From<V2.Person>()).map(\.fullName) == ["first", "first"])

        let own = try Place(backend, [Deleting()] + others)
        try own.fill(V1.schema) { V1.fill($0) }
        #expect(try await own.stack(V1.schema, V2.schema).fetchCount(From<V2.Person>()) == 0)
    }
}
