import Coffer
import CofferInMemory
import Foundation
import TestSupport
import Testing

/// Entities and the classes that represent them.
@MainActor
struct EntityTests {
    private class Vehicle: CoreStoreObject {
        @Field.Stored("wheels") var wheels: Int = 4
        @Field.Stored("maker") var maker: String?
    }

    private class Car: Vehicle {
        @Field.Stored("doors") var doors: Int = 5
    }

    private final class Van: Car {
        @Field.Stored("volume") var volume: Double = 10.5
    }

    private let entities: [DynamicEntity] = [
        Entity<Vehicle>("vehicle table", isAbstract: true), Entity<Car>("Car", indexes: [[\.$doors, \.$wheels]]),
        Entity<Van>("Van"),
    ]

    @Test(.pins("SCH-01"), arguments: TestBackend.allCases)
    func `classes inherit over several levels`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: entities))
        try test.stack.perform(synchronous: { transaction in
            let van = transaction.create(Into<Van>())
            van.wheels = 6
            van.doors = 3
            van.volume = 0.25
            van.maker = "M"
            transaction.create(Into<Car>()).doors = 2
        })
        let all = try test.stack.fetchAll(From<Vehicle>().orderBy(.descending(\.$wheels)))
        #expect(all.map { "\(type(of: $0))" } == ["Van", "Car"])
        let van = try #require(all[0] as? Van)
        #expect(van.wheels == 6 && van.doors == 3)
        #expect(van.volume == 0.25)
        #expect(van.maker == "M")
        #expect(try test.stack.fetchCount(From<Car>()) == 2)
        #expect(try test.stack.fetchOne(From<Van>()) === van)
        #expect(try test.stack.fetchCount(From<Van>().where { $0.$wheels == 6 && $0.$volume < 1 }) == 1)
        #expect(van.objectID().entityName == "vehicle table")
    }

    @Test(.pins("SCH-20"), arguments: TestBackend.allCases)
    func `an entity can have any name`(_ backend: TestBackend) throws {
        final class Odd: CoreStoreObject {
            @Field.Stored("value") var value: Int = 1
        }
        for name in ["select", "a \"quoted\" name", "it's", "Tabelle äöü", "sqlite_x", "coffer_metadata", "a.b", "x/y"]
        {
            let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Odd>(name)]))
            try test.stack.perform(synchronous: { $0.create(Into<Odd>()).value = 7 })
            let odd = try #require(try test.stack.fetchOne(From<Odd>().where(\.$value == 7)))
            #expect(odd.objectID().entityName == name)
            let uri = odd.objectID().uriRepresentation()
            #expect(test.stack.objectID(forURIRepresentation: uri) == odd.objectID(), "\(name): \(uri)")
            #expect(test.stack.entityTypesByName(for: Odd.self).keys.sorted() == [name])
        }
    }

    @Test(.pins("SCH-21"), arguments: TestBackend.allCases)
    func `a class with fields that is not registered is refused`(_ backend: TestBackend) throws {
        class Ghost: CoreStoreObject {
            @Field.Stored("spooky") var spooky: Int = 13
        }
        final class Seen: Ghost {
            @Field.Stored("name") var name: String = "seen"
        }
        let without = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Seen>("Seen")])
        let log = RecordingLogger.record("'Seen' inherits the field") {
            let error = #expect(throws: CoreStoreError.self) { _ = try TestStack(backend, without) }
            #expect(error?.storageError?.code == .invalidModel)
        }
        #expect(
            log.assertions == [
                "'Seen' inherits the field 'spooky' of the class 'Ghost', which is not registered as an entity. "
                    + "Add 'Entity<Ghost>(\"Ghost\", isAbstract: true)' to the schema."
            ])
        // The same class is in another schema, in which its superclass is registered.
        let other = try TestStack(
            backend, CoreStoreSchema(modelVersion: "V1", entities: [Entity<Seen>("Seen"), Entity<Ghost>("Ghost")])
        )
        try other.stack.perform(synchronous: { transaction in
            let seen = transaction.create(Into<Seen>())
            seen.spooky = 14
            seen.name = "y"
        })
        #expect(try other.stack.fetchOne(From<Ghost>().where(\.$spooky == 14)) is Seen)
        #expect(try other.stack.fetchOne(From<Seen>())?.name == "y")
    }

    @Test(.pins("SCH-22"), arguments: TestBackend.allCases)
    func `a fetch of an abstract entity returns objects of its concrete entities`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: entities))
        #expect(try test.stack.fetchAll(From<Vehicle>()).isEmpty)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Car>()) })
        #expect(try test.stack.fetchOne(From<Vehicle>()) is Car)
        #expect(try test.stack.fetchCount(From<Vehicle>()) == 1)
    }

    @Test(.pins("SCH-22"), arguments: TestBackend.allCases)
    func `an entity between two others may be abstract`(_ backend: TestBackend) throws {
        class Animal: CoreStoreObject {
            @Field.Stored("name") var name: String = ""
        }
        class Mammal: Animal {
            @Field.Stored("legs") var legs: Int = 4
        }
        final class Cat: Mammal {
            @Field.Stored("lives") var lives: Int = 9
        }
        let entities: [DynamicEntity] = [
            Entity<Animal>("Animal"), Entity<Mammal>("Mammal", isAbstract: true), Entity<Cat>("Cat"),
        ]
        let test = try TestStack(backend, CoreStoreSchema(modelVersion: "V1", entities: entities))
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Animal>()).name = "a"
            transaction.create(Into<Cat>()).name = "b"
        })
        let all = try test.stack.fetchAll(From<Animal>().orderBy(.ascending(\.$name)))
        #expect(all.map { "\(type(of: $0))" } == ["Animal", "Cat"])
        let mammals = try test.stack.fetchAll(From<Mammal>())
        #expect(mammals.count == 1 && mammals.first === all.last)
        #expect(try test.stack.fetchCount(From<Mammal>().where { $0.$legs == 4 && $0.$name == "b" }) == 1)
        try test.stack.perform(synchronous: { transaction in
            let mammal = try #require(transaction.edit(Into<Mammal>(), all[1].objectID()))
            #expect(mammal is Cat)
            mammal.legs = 3
            #expect(transaction.updatedObjects(Mammal.self) == [mammal])
        })
        #expect((all[1] as? Cat)?.legs == 3)
    }

    @Test(.pins("SCH-22")) func `creating an abstract entity stops the program`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            class Shape: CoreStoreObject {}
            let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Shape>("Shape", isAbstract: true)])
            let stack = DataStack(schema)
            try stack.addStorageAndWait(InMemoryStore())
            _ = stack.beginUnsafe().create(Into<Shape>())
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("'Shape' is abstract. Create one of its sub-entities."))
    }

    @Test(.pins("SCH-23"), arguments: TestBackend.allCases)
    func `each list of key paths is one compound index`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: entities)
        #expect(schema.rawModel().storeModel.entities[1].indexes == [["doors", "wheels"]])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for doors in 0..<20 { transaction.create(Into<Car>()).doors = doors % 5 }
        })
        #expect(try test.stack.fetchCount(From<Car>().where(\.$doors == 2)) == 4)
        #expect(try test.stack.fetchCount(From<Car>().where { $0.$doors == 2 && $0.$wheels == 4 }) == 4)
    }

    @Test(.pins("SCH-25")) func `entities are equal if their names and options are equal`() {
        func entity(
            _ name: String = "Car", isAbstract: Bool = false, modifier: String? = nil,
            indexes: [[PartialKeyPath<Car>]] = [], constraints: [[PartialKeyPath<Car>]] = []
        ) -> DynamicEntity {
            Entity<Car>(
                name, isAbstract: isAbstract, versionHashModifier: modifier, indexes: indexes,
                uniqueConstraints: constraints
            )
        }
        #expect(entity() == Entity<Car>("Car"))
        #expect(entity().hashValue == Entity(Car.self, "Car").hashValue)
        #expect(entity() != Entity<Van>("Car"))
        #expect(entity() != entity("car"))
        #expect(entity() != entity(isAbstract: true))
        #expect(entity() != entity(modifier: "1"))
        #expect(entity() != entity(indexes: [[\.$doors]]))
        #expect(entity() != entity(constraints: [[\.$doors]]))
        #expect(entity().hashValue == entity(indexes: [[\.$doors]], constraints: [[\.$doors]]).hashValue)
    }

    @Test(.pins("SCH-27"), arguments: TestBackend.allCases)
    func `fields may have any name`(_ backend: TestBackend) throws {
        final class Names: CoreStoreObject {
            @Field.Stored("id") var id: Int = 1
            @Field.Stored("key") var key: Int = 2
            @Field.Stored("description") var description: String = "d"
            @Field.Stored("hash") var hash: Int = 3
            @Field.Stored("objectID") var identity: Int = 4
            @Field.Stored("deleted") var deleted: Bool = true
            @Field.Stored("select") var select: Int = 5
            @Field.Stored("a \"b\" 'c'") var quoted: Int = 6
            @Field.Stored("ROWID") var rowid: Int = 7
            @Field.Stored("Case") var upper: Int = 8
            @Field.Stored("entity") var row: String = "e"
            @Field.Stored("version") var state: Int = 9
            @Field.Stored("$0") var context: Int = 10
            @Field.Stored("first") var base: Int = 11
            @Field.Relationship("order", inverse: \.$group) var order: Names?
            @Field.Relationship("group") var group: [Names]
        }
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Names>("Names", indexes: [[\.$id]], uniqueConstraints: [[\.$quoted]])]
        )
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let names = transaction.create(Into<Names>())
            names.id = 100
            names.base = 12
            names.row = "row"
            names.order = names
        })
        let clause = From<Names>().where { $0.$id == 100 && $0.$key == 2 && $0.$select == 5 && $0.$quoted == 6 }
        let names = try #require(try test.stack.fetchOne(clause.orderBy(.ascending(\.$rowid), .descending(\.$upper))))
        let numbers: [Int] = [
            names.id, names.key, names.hash, names.identity, names.select, names.quoted, names.rowid, names.upper,
            names.state, names.context, names.base,
        ]
        #expect(numbers == [100, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12] as [Int])
        #expect(names.description == "d" && names.deleted && names.row == "row")
        #expect(names.group == [names])
        try test.stack.perform(synchronous: { transaction in
            let names = try #require(transaction.edit(names))
            names.quoted = 60
            names.state = 90
        })
        #expect(names.quoted == 60 && names.state == 90)
        let rows = try test.stack.queryAttributes(
            From<Names>().select(NSDictionary.self, "id", "a \"b\" 'c'", .sum(\.$select, as: "the \"sum\"")).groupBy(
                "id", "a \"b\" 'c'")
        )
        #expect(rows.map { $0["the \"sum\""] as? Int } == [5])
        #expect(rows.map { $0["a \"b\" 'c'"] as? Int } == [60])
    }
}
