import Coffer
import Foundation
import TestSupport
import Testing

private typealias Person = Town.Person
private typealias Pet = Town.Pet

/// Snapshots of objects as values: edited copies compare and list their values like any other snapshot.
@MainActor
struct SnapshotValueTests {
    /// Returns a town with Ann, 40, her pets Rex and Ada, and her friend Bob.
    private func town(_ backend: TestBackend) throws -> (TestStack, Person) {
        let test = try Town.filled(backend, ["Ann": 40, "Bob": 30])
        try test.stack.perform(synchronous: { transaction in
            let people = try transaction.fetchAll(From<Person>().orderBy(.ascending(\.$name)))
            for name in ["Rex", "Ada"] {
                let dog = transaction.create(Into<Pet>())
                (dog.name, dog.master) = (name, people[0])
            }
            people[0].friends = [people[1]]
        })
        return (test, try #require(try test.person("Ann")))
    }

    @Test(.pins("OBS-76"), arguments: TestBackend.allCases)
    func `an edited snapshot equals each snapshot of the object with the same values`(
        _ backend: TestBackend
    ) throws {
        let (test, ann) = try town(backend)
        let original = try #require(ann.asSnapshot())
        var edited = original
        edited.$age = 41
        #expect(edited != original)
        edited.$age = 40
        #expect(edited == original && original == edited && edited.hashValue == original.hashValue)
        edited.$city = nil
        edited.$mood = Town.Mood()
        edited.$pets = original.$pets
        edited.$friends = original.$friends
        edited.$label = "Ann (40)"
        #expect(edited == original && Set([edited, original]).count == 1)
        edited.$friends = []
        #expect(edited != original)
        try test.edit("Ann") { $0.friends = [] }
        #expect(try #require(ann.asSnapshot()) == edited)
        edited.$city = "Rome"
        edited.$mood = Town.Mood(colour: "red")
        #expect(try #require(ann.asSnapshot()) != edited)
        try test.edit("Ann") { ($0.city, $0.mood) = ("Rome", Town.Mood(colour: "red")) }
        #expect(try #require(ann.asSnapshot()) == edited)
        var other = try #require(try test.person("Bob")?.asSnapshot())
        (other.$name, other.$age, other.$label) = ("Ann", 40, "Ann (40)")
        #expect(other != original)
    }

    @Test(.pins("OBS-76"), arguments: TestBackend.allCases)
    func `the dictionaries of edited and unedited snapshots have the same types`(
        _ backend: TestBackend
    ) throws {
        let (test, ann) = try town(backend)
        let bob = try #require(try test.person("Bob"))
        let rex = try #require(try test.stack.fetchOne(From<Pet>().where(\.$name == "Rex")))
        var person = try #require(ann.asSnapshot())
        (person.$age, person.$city, person.$friends) = (7, "Rome", [])
        person.$pets = [rex.asPublisher(in: test.stack)]
        let values = person.dictionaryForValues()
        #expect(values["age"] as? Int == 7 && values["city"] as? String == "Rome")
        #expect(values["pets"] as? Set<ObjectID> == [rex.objectID()])
        #expect(values["friends"] as? [ObjectID] == [])
        var dog = try #require(rex.asSnapshot())
        #expect(dog.dictionaryForValues()["master"] as? ObjectID == ann.objectID())
        dog.$master = bob.asPublisher(in: test.stack)
        #expect(dog.dictionaryForValues()["master"] as? ObjectID == bob.objectID())
        dog.$master = nil
        #expect(dog.dictionaryForValues()["master"] == nil)
    }

    private final class Kennel: CoreStoreObject {
        @Field.Relationship("pets", inverse: \.$kennel) var pets: [Hound]
    }

    private final class Hound: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("kennel") var kennel: Kennel?
    }

    @Test(.pins("OBS-76"), arguments: TestBackend.allCases)
    func `a snapshot does not contain the place of its object in a relationship of another object`(
        _ backend: TestBackend
    ) throws {
        let schema = CoreStoreSchema(
            modelVersion: "V1", entities: [Entity<Kennel>("ValueKennel"), Entity<Hound>("ValueHound")])
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let (kennel, other) = (transaction.create(Into<Kennel>()), transaction.create(Into<Kennel>()))
            kennel.pets = ["Ada", "Rex", "Tom"].map { name in
                let hound = transaction.create(Into<Hound>())
                hound.name = name
                return hound
            }
            other.pets = []
        })
        let tom = try #require(try test.stack.fetchOne(From<Hound>().where(\.$name == "Tom")))
        let kennel = try #require(tom.kennel)
        let (before, beforeKennel) = (try #require(tom.asSnapshot()), try #require(kennel.asSnapshot()))
        try test.stack.perform(synchronous: { $0.edit(kennel)?.pets.reverse() })
        #expect(kennel.pets.first === tom)
        #expect(tom.asSnapshot() == before && kennel.asSnapshot() != beforeKennel)
        try test.stack.perform(synchronous: { $0.edit(tom)?.kennel = nil })
        #expect(tom.asSnapshot() != before)
        var edited = before
        edited.$kennel = nil
        #expect(tom.asSnapshot() == edited)
    }
}
