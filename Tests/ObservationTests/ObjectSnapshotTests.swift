import Coffer
import CofferStorage
import TestSupport
import Testing

private typealias Person = Town.Person

@MainActor
struct ObjectSnapshotTests {
    /// Returns a town with Ann, her pets Rex and Ada, and her friends Bob and Cat, in this order.
    private func filled(_ backend: TestBackend) throws -> TestStack {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 10, "Cat": 30])
        try test.stack.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            for name in ["Rex", "Ada"] {
                let dog = transaction.create(Into<Town.Pet>())
                (dog.name, dog.master) = (name, people[0])
            }
            people[0].friends = [people[2], people[1]]
            people[0].mood.colour = "red"
        })
        return test
    }

    @Test(.pins("OBS-75"), arguments: TestBackend.allCases)
    func `a snapshot keeps the value of every field when the object changes`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let ann = try #require(try test.person("Ann"))
        let snapshot = try #require(ann.asSnapshot(in: test.stack))
        try test.edit("Ann") { ($0.name, $0.age, $0.mood, $0.pets) = ("Zoe", 50, .init(colour: "blue"), []) }
        #expect(ann.name == "Zoe")
        #expect(snapshot.$name == "Ann")
        #expect(snapshot.$age == 40)
        #expect(snapshot.$city == nil)
        #expect(snapshot.$mood == .init(colour: "red"))
        #expect(snapshot.$title == "The ")
        #expect(snapshot.$label == "Ann (40)")
        #expect(snapshot.$pets.count == 2)
        try test.delete("Zoe")
        #expect(snapshot.$label == "Ann (40)")
        #expect(ann.asSnapshot(in: test.stack) == nil)
    }

    @Test(.pins("FLD-24", "OBS-75"), arguments: TestBackend.allCases)
    func `a snapshot freezes the result of a getter, even if another field of the snapshot is set`(
        _ backend: TestBackend
    ) throws {
        let test = try filled(backend)
        let ann = try #require(try test.person("Ann"))
        var snapshot = try #require(ann.asSnapshot())
        snapshot.$name = "Eve"
        #expect(snapshot.$name == "Eve")
        #expect(snapshot.$label == "Ann (40)")
        try test.edit("Ann") { $0.age = 41 }
        #expect(ann.label == "Ann (41)")
        #expect(snapshot.$label == "Ann (40)")
        #expect(ann.asSnapshot()?.$label == "Ann (41)")
        snapshot.$label = "?"
        #expect(snapshot.$label == "?")
        #expect(ann.name == "Ann")
    }

    @Test(.pins("FLD-47"), arguments: TestBackend.allCases)
    func `the relationships of snapshots and publishers are publishers`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let ann = try #require(try test.person("Ann"))
        let snapshot = try #require(ann.asSnapshot())
        let pets: Set<ObjectPublisher<Town.Pet>> = snapshot.$pets
        let friends: [ObjectPublisher<Person>] = snapshot.$friends
        #expect(Set(pets.map { $0.$name }) == ["Rex", "Ada"])
        #expect(friends.map { $0.$name } == ["Cat", "Bob"])
        let rex = try #require(pets.first { $0.$name == "Rex" })
        let master: ObjectPublisher<Person>? = rex.snapshot?.$master
        #expect(master == ann.asPublisher(in: test.stack))
        #expect((rex.$master ?? nil) == master)
        #expect(master?.$pets == pets)
        #expect(master?.$friends == friends)
        try test.edit("Ann") { $0.friends.reverse() }
        #expect(snapshot.$friends == friends)
        #expect(master?.$friends == friends.reversed())
        #expect(master?.snapshot?.$friends == friends.reversed())
        try test.stack.perform(synchronous: { try $0.fetchOne(From<Town.Pet>().where(\.$name == "Rex"))?.master = nil })
        #expect(rex.snapshot?.$master == nil)
        #expect(master?.snapshot?.$pets.count == 1)
        var copy = snapshot
        copy.$friends = []
        copy.$pets = [rex]
        #expect(copy.$friends.isEmpty && copy.$pets == [rex] && snapshot.$pets.count == 2)
    }

    @Test(.pins("OBS-76"), arguments: TestBackend.allCases)
    func `snapshots are equal if they have the same object and equal values`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let ann = try #require(try test.person("Ann"))
        let (one, other) = (try #require(ann.asSnapshot()), try #require(ann.asSnapshot()))
        #expect(one == other)
        #expect(Set([one, other]).count == 1)
        #expect(one != (try test.person("Bob"))?.asSnapshot())
        var changed = one
        changed.$age = 7
        #expect(changed != one)
        try test.edit("Ann") { $0.age += 1 }
        #expect(ann.asSnapshot() != one)
        try test.edit("Ann") { $0.age -= 1 }
        #expect(ann.asSnapshot() == one)
        try test.edit("Ann") { $0.friends.removeAll() }
        #expect(ann.asSnapshot() != one)
    }

    @Test(.pins("OBS-76"), arguments: TestBackend.allCases)
    func `a snapshot returns its values as a dictionary`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let snapshot = try #require(try test.person("Ann")?.asSnapshot())
        let values = snapshot.dictionaryForValues()
        #expect(values["name"] as? String == "Ann")
        #expect(values["age"] as? Int == 40)
        #expect(values["label"] as? String == "Ann (40)")
        #expect(values["mood"] as? Town.Mood == Town.Mood(colour: "red"))
        #expect(values["city"] == nil)
        #expect((values["pets"] as? Set<ObjectID>)?.count == 2)
        #expect(values["friends"] as? [ObjectID] == snapshot.$friends.map { $0.objectID() })
    }

    @Test(.pins("OBS-77"), arguments: TestBackend.allCases)
    func `snapshots with values that are not equatable equal only their copies`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing>("SnapshotThing")])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Thing>()) })
        let thing = try #require(try test.stack.fetchOne(From<Thing>()))
        let snapshot = try #require(thing.asSnapshot())
        let copy = snapshot
        #expect(snapshot == copy)
        #expect(snapshot != thing.asSnapshot())
    }

    @Test(.pins("OBS-76", "OBS-77"), arguments: TestBackend.allCases)
    func `an edited snapshot equals its copies, even if a new value is not equatable`(
        _ backend: TestBackend
    ) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Thing>("SnapshotThing")])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { _ = $0.create(Into<Thing>()) })
        let thing = try #require(try test.stack.fetchOne(From<Thing>()))
        let snapshot = try #require(thing.asSnapshot())
        var edited = snapshot
        edited.$opaque = Opaque()
        let copy = edited
        #expect(edited == copy && Set([edited, copy]).count == 1)
        #expect(edited != snapshot)
    }

    @Test(.pins("OBS-77"), arguments: TestBackend.allCases)
    func `coded values that are not equatable are compared by their stored bytes`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(modelVersion: "V1", entities: [Entity<Crate>("SnapshotCrate")])
        let test = try TestStack(backend, schema)
        func paint(_ colour: String) throws {
            try test.stack.perform(synchronous: { try $0.fetchOne(From<Crate>())?.paint = Paint(colour: colour) })
        }
        try test.stack.perform(synchronous: { _ = $0.create(Into<Crate>()) })
        let crate = try #require(try test.stack.fetchOne(From<Crate>()))
        let snapshot = try #require(crate.asSnapshot())
        #expect(crate.asSnapshot() == snapshot)
        try paint("red")
        #expect(crate.asSnapshot() != snapshot)
        try paint("grey")
        #expect(crate.asSnapshot() == snapshot)
    }

    @Test(.pins("OBS-75", "OBS-76"), arguments: TestBackend.allCases)
    func `another task reads every value of a snapshot that is handed to it`(
        _ backend: TestBackend
    ) async throws {
        let test = try filled(backend)
        let snapshot = try #require(try test.person("Ann")?.asSnapshot())
        let (pets, friends) = (Set(snapshot.$pets.map { $0.objectID() }), snapshot.$friends.map { $0.objectID() })
        try test.edit("Ann") { ($0.name, $0.friends, $0.pets) = ("Zoe", [], []) }
        await Task.detached {
            #expect(snapshot.$name == "Ann" && snapshot.$label == "Ann (40)" && snapshot.$mood.colour == "red")
            #expect(snapshot.$title == "The " && snapshot.$city == nil)
            let values = snapshot.dictionaryForValues()
            #expect(values["pets"] as? Set<ObjectID> == pets && values["friends"] as? [ObjectID] == friends)
            #expect(values["name"] as? String == "Ann" && values["label"] as? String == "Ann (40)")
        }.value
    }

    @Test(.pins("OBS-80"), arguments: TestBackend.allCases)
    func `objects, publishers and snapshots convert to each other`(_ backend: TestBackend) throws {
        let test = try filled(backend)
        let ann = try #require(try test.person("Ann"))
        let publisher = try #require(ann.asPublisher())
        let snapshot = try #require(publisher.asSnapshot(in: test.stack))
        #expect(snapshot.asPublisher(in: test.stack) === publisher)
        #expect(snapshot.asReadOnly(in: test.stack) === ann)
        #expect(publisher.asReadOnly(in: test.stack) === ann)
        #expect(ann.cs_dataStack() === test.stack && snapshot.cs_dataStack() === test.stack)
        try test.stack.perform(synchronous: { transaction in
            let editable = try #require(snapshot.asEditable(in: transaction))
            editable.age = 99
            #expect(publisher.asSnapshot(in: transaction)?.$age == 99)
            #expect(ann.asSnapshot(in: transaction)?.$label == "Ann (99)")
            #expect(editable.asSnapshot()?.$age == 99)
            #expect(editable.cs_dataStack() === test.stack)
            #expect(editable.asReadOnly(in: test.stack) === ann)
            #expect(ann.asEditable(in: transaction) === editable)
        })
        #expect(snapshot.$age == 40 && publisher.snapshot?.$age == 99)
        try test.delete("Ann")
        #expect(snapshot.asReadOnly(in: test.stack) == nil && snapshot.asSnapshot(in: test.stack) == nil)
    }

    @Test(.pins("OBS-81", "CLS-61"), arguments: TestBackend.allCases)
    func `publishers and snapshots represent their object in clauses and deletions`(
        _ backend: TestBackend
    ) throws {
        let test = try filled(backend)
        let publisher = try #require(try test.person("Ann")?.asPublisher())
        let snapshot = try #require(publisher.snapshot)
        let master = \Town.Pet.$master
        #expect(try test.stack.fetchCount(From<Town.Pet>().where(master == publisher)) == 2)
        #expect(try test.stack.fetchCount(From<Town.Pet>().where(master == snapshot)) == 2)
        #expect(try test.stack.fetchCount(From<Town.Pet>().where(master != snapshot)) == 0)
        #expect(try test.stack.fetchCount(From<Town.Pet>(), Where<Town.Pet>("master == %@", snapshot)) == 2)
        #expect(try test.stack.fetchCount(From<Town.Pet>(), Where<Town.Pet>("master IN %@", [publisher])) == 2)
        try test.stack.perform(synchronous: { $0.delete(publisher) })
        #expect(try test.person("Ann") == nil)
        #expect(publisher.object == nil && publisher.snapshot == nil)
    }
}

private struct Opaque {}

private final class Thing: CoreStoreObject {
    @Field.Virtual("opaque", customGetter: { _, _ in Opaque() }) var opaque: Opaque
}

private struct Paint: Codable {
    var colour = "grey"
}

private final class Crate: CoreStoreObject {
    @Field.Coded("paint", coder: FieldCoders.Json.self) var paint: Paint = Paint()
}
