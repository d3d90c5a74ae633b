import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

/// Migration steps that are inferred from the two schemas alone.
@MainActor
struct InferredMigrationTests {
    final class Boat: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("length") var length: Int = 0
        @Field.Stored("note") var note: String?
    }

    private func schema(_ version: String, _ entities: DynamicEntity...) -> CoreStoreSchema {
        CoreStoreSchema(modelVersion: version, entities: entities)
    }

    private func boats(_ place: Place) throws {
        try place.fill(schema("V1", Entity<Boat>("Boat"))) { transaction in
            for (name, length, note) in [("Ark", 130, nil as String?), ("Sloop", 9, "leaks")] {
                let boat = transaction.create(Into<Boat>())
                (boat.name, boat.length, boat.note) = (name, length, note)
            }
        }
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `an inferred migration adds, drops, renames and widens attributes and makes them required`(
        _ backend: TestBackend
    ) async throws {
        let place = try Place(backend)
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let people = try stack.fetchAll(From<V2.Person>().orderBy(.ascending(\.$years)))
        #expect(people.map(\.fullName) == ["Ann", "Bob"])
        #expect(people.map(\.nick) == ["annie", "nobody"])
        #expect(people.map(\.years) == [30, 40])
        #expect(people.map(\.mood) == ["fine", "fine"])
        try stack.perform(synchronous: { $0.create(Into<V2.Person>()).years = .max })
        #expect(try stack.fetchCount(From<V2.Person>()) == 3)
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `an inferred migration adds and drops entities and keeps the ids`(_ backend: TestBackend) async throws {
        final class Harbour: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        let place = try Place(backend)
        try boats(place)
        let (first, second) = (
            schema("V1", Entity<Boat>("Boat")), schema("V2", Entity<Boat>("Boat"), Entity<Harbour>("Harbour"))
        )
        let stack = try await place.stack(first, second)
        let ids = try stack.fetchObjectIDs(From<Boat>())
        #expect(ids.count == 2)
        #expect(try stack.fetchCount(From<Harbour>()) == 0)
        try stack.perform(synchronous: { $0.create(Into<Harbour>()).name = "Kiel" })
        stack.unsafeRemoveAllPersistentStoresAndWait()

        let third = schema("V3", Entity<Harbour>("Harbour"))
        let last = try await place.stack(first, second, third)
        #expect(try last.fetchAll(From<Harbour>()).map(\.name) == ["Kiel"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `an inferred migration moves entities into a hierarchy`(_ backend: TestBackend) async throws {
        class Vessel: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        final class Ship: Vessel {
            @Field.Stored("length") var length: Int = 0
        }
        let place = try Place(backend)
        try boats(place)
        let stack = try await place.stack(
            schema("V1", Entity<Boat>("Boat")),
            schema("V2", Entity<Vessel>("Vessel", isAbstract: true), Entity<Ship>("Boat"))
        )
        #expect(try stack.fetchAll(From<Vessel>().orderBy(.ascending(\.$name))).map(\.name) == ["Ark", "Sloop"])
        #expect(try stack.fetchAll(From<Ship>().where(\.$length > 100)).map(\.name) == ["Ark"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a to-one relationship can become to-many and keeps its related object`(
        _ backend: TestBackend
    ) async throws {
        final class Owner: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("dogs", inverse: \.$masters) var dogs: [Pet]
        }
        final class Pet: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Relationship("masters", previousVersionKeyPath: "master") var masters: Set<Owner>
        }
        let place = try Place(backend)
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, schema("V2", Entity<Owner>("Person"), Entity<Pet>("Dog")))
        let pets = try stack.fetchAll(From<Pet>().orderBy(.ascending(\.$name)))
        #expect(pets.map(\.name) == ["Bella", "Duke", "Rex", "Stray"])
        #expect(pets.map { $0.masters.map(\.name) } == [["Ann"], ["Bob"], ["Ann"], []])
        let ann = try #require(try stack.fetchOne(From<Owner>().where(\.$name == "Ann")))
        #expect(ann.dogs.map(\.name) == ["Bella", "Rex"])
        try stack.perform(synchronous: { transaction in
            let duke = try #require(transaction.edit(pets[1]))
            duke.masters.insert(try #require(transaction.edit(ann)))
        })
        #expect(Set(pets[1].masters.map(\.name)) == ["Ann", "Bob"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a type that cannot be converted is refused, and the error suggests a solution`(
        _ backend: TestBackend
    ) async throws {
        final class Odd: CoreStoreObject {
            @Field.Stored("name") var name: Date = .distantPast
        }
        let place = try Place(backend)
        try boats(place)
        let (first, second) = (schema("V1", Entity<Boat>("Boat")), schema("V2", Entity<Odd>("Boat")))
        let error = await place.failure(first, second)?.storageError
        #expect(
            error?.description
                == "schemaMismatch: 'Boat.name' is date in version 'V2' but string in 'V1'. This conversion can lose "
                + "data. Map 'Boat' by .transformEntity, or pass .recreateStoreOnModelMismatch (migrate, "
                + "\(place.storeDescription)).")
        #expect(try await place.stack(first).fetchCount(From<Boat>()) == 2)
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `the error about a missing required value names the field, and the store is unchanged`(
        _ backend: TestBackend
    ) async throws {
        final class Strict: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("note", dynamicInitialValue: { "new" }) var note: String
        }
        let place = try Place(backend)
        try boats(place)
        let (first, second) = (schema("V1", Entity<Boat>("Boat")), schema("V2", Entity<Strict>("Boat")))
        let error = await place.failure(first, second)?.storageError
        #expect(
            error?.description
                == "invalidValue: 'Boat.note' has no value in row 1, but version 'V2' requires one. Give it a default, make "
                + "it optional, or map 'Boat' by .transformEntity (migrate, \(place.storeDescription)).")
        let stack = try await place.stack(first)
        #expect(try stack.fetchAll(From<Boat>().orderBy(.ascending(\.$name))).map(\.note) == [nil, "leaks"])
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `the error about a new unique constraint names the field, and the store is unchanged`(
        _ backend: TestBackend
    ) async throws {
        final class Only: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
            @Field.Stored("length") var length: Int = 0
        }
        let place = try Place(backend)
        try boats(place)
        let first = schema("V1", Entity<Boat>("Boat"))
        try place.fill(first) { $0.create(Into<Boat>()).length = 9 }
        let second = schema("V2", Entity<Only>("Boat", uniqueConstraints: [[\.$length]]))
        let error = await place.failure(first, second)?.storageError
        #expect(
            error?.description
                == "uniqueViolation: 'Boat.length' must be unique in version 'V2', but rows of the store have the "
                + "same value. Change these values, or map 'Boat' by .transformEntity (migrate, "
                + "\(place.storeDescription)).")
        let stack = try await place.stack(first)
        #expect(try stack.fetchCount(From<Boat>()) == 3)
    }

    @Test(.pins("MIG-37"), arguments: TestBackend.allCases)
    func `a field is migrated by its former name although another field now has that name`(
        _ backend: TestBackend
    ) async throws {
        final class Swapped: CoreStoreObject {
            @Field.Stored("title", previousVersionKeyPath: "name") var title: String = ""
            @Field.Stored("name") var name: Int = 7
            @Field.Stored("length") var length: Int = 0
        }
        let place = try Place(backend)
        try boats(place)
        let stack = try await place.stack(schema("V1", Entity<Boat>("Boat")), schema("V2", Entity<Swapped>("Boat")))
        let found = try stack.fetchAll(From<Swapped>().orderBy(.ascending(\.$title)))
        #expect(found.map(\.title) == ["Ark", "Sloop"] && found.map(\.name) == [7, 7])
    }
}
