import Coffer
import TestSupport
import Testing

/// Relationships in migrations.
@MainActor
struct RelationshipMigrationTests {
    private func check(_ stack: DataStack) throws {
        let ann = try #require(try stack.fetchOne(From<V2.Person>().where(\.$fullName == "Ann")))
        let bob = try #require(try stack.fetchOne(From<V2.Person>().where(\.$fullName == "Bob")))
        #expect(ann.pets.map(\.name) == ["Bella", "Rex"])
        #expect(bob.pets.map(\.name) == ["Duke"])
        #expect(Set(ann.groups.map(\.name)) == ["Chess", "Boats"])
        #expect(ann.partner === bob && bob.partnerOf === ann && ann.partnerOf == nil)
        let chess = try #require(try stack.fetchOne(From<V2.Club>().where(\.$name == "Chess")))
        #expect(chess.people.map(\.fullName) == ["Bob", "Ann"])
        let dogs = try stack.fetchAll(From<V2.Dog>().orderBy(.ascending(\.$name)))
        #expect(dogs.map { $0.owner?.fullName } == ["Ann", "Bob", "Ann", nil])
    }

    @Test(.pins("FLD-48", "MIG-35"), arguments: TestBackend.allCases)
    func `an inferred migration keeps renamed relationships of every kind`(
        _ backend: TestBackend
    ) async throws {
        let place = try Place(backend)
        try place.fill(V1.schema) { V1.fill($0) }
        try check(await place.stack(V1.schema, V2.schema))
    }

    @Test(.pins("FLD-48", "MIG-35"), arguments: TestBackend.allCases)
    func `a custom migration keeps renamed relationships of every kind`(
        _ backend: TestBackend
    ) async throws {
        let mappings = ["Person", "Dog", "Club"].map {
            CustomSchemaMappingProvider.CustomMapping.transformEntity(
                sourceEntity: $0, destinationEntity: $0,
                transformer: CustomSchemaMappingProvider.CustomMapping.inferredTransformation
            )
        }
        let place = try Place(
            backend, [CustomSchemaMappingProvider(from: "V1", to: "V2", entityMappings: Set(mappings))])
        try place.fill(V1.schema) { V1.fill($0) }
        try check(await place.stack(V1.schema, V2.schema))
    }

    @Test(.pins("MIG-35"), arguments: TestBackend.allCases)
    func `references to an object that a transformer leaves out become nil`(_ backend: TestBackend) async throws {
        let mapping = CustomSchemaMappingProvider.CustomMapping.transformEntity(
            sourceEntity: "Person", destinationEntity: "Person",
            transformer: { source, createDestination in
                guard source["name"] as? String != "Bob" else { return }
                createDestination()["fullName"] = source["name"]
            }
        )
        let place = try Place(backend, [CustomSchemaMappingProvider(from: "V1", to: "V2", entityMappings: [mapping])])
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema)
        let people = try stack.fetchAll(From<V2.Person>())
        #expect(people.map(\.fullName) == ["Ann"] && people.map(\.mood) == ["fine"])
        #expect(people.first?.partner == nil)
        let duke = try #require(try stack.fetchOne(From<V2.Dog>().where(\.$name == "Duke")))
        #expect(duke.owner == nil)
        #expect(try stack.fetchCount(From<V2.Dog>().where(\.$owner == nil)) == 2)
        let chess = try #require(try stack.fetchOne(From<V2.Club>().where(\.$name == "Chess")))
        #expect(chess.people.map(\.fullName) == ["Ann"])
        try stack.perform(synchronous: { transaction in
            let chess = try #require(transaction.edit(chess))
            chess.people.append(transaction.create(Into<V2.Person>()))
        })
        #expect(chess.people.count == 2)
    }

    @Test(.pins("FLD-48"), arguments: TestBackend.allCases)
    func `names that change in two steps are migrated through both steps`(_ backend: TestBackend) async throws {
        let place = try Place(backend)
        try place.fill(V1.schema) { V1.fill($0) }
        let stack = try await place.stack(V1.schema, V2.schema, V3.schema)
        let ann = try #require(try stack.fetchOne(From<V3.Person>().where(\.$title == "Ann")))
        #expect(ann.years == 30)
        #expect(ann.animals.map(\.name) == ["Bella", "Rex"])
    }
}
