import Coffer
import Foundation
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("species") var species: String = "animal"
    @Field.Relationship("master") var master: Person?
}

private final class Dog: Animal {
    @Field.Stored("nickname") var nickname: String?
    @Field.Stored("age") var age: Int = 1
}

private final class Person: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("score") var score: Double = 0
    @Field.Relationship("pets", inverse: \.$master) var pets: Set<Animal>
    @Field.Relationship("friends", inverse: \.$friendOf) var friends: [Person]
    @Field.Relationship("friendOf") var friendOf: Set<Person>
}

private let smokeSchema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<Animal>("Animal"), Entity<Dog>("Dog", indexes: [[\Dog.$age]]),
        Entity<Person>("Person", uniqueConstraints: [[\Person.$name]]),
    ]
)

@MainActor
struct SmokeTests {
    @Test(arguments: TestBackend.allCases)
    func `objects are created, related, fetched, changed and deleted`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, smokeSchema)
        let stack = test.stack
        try stack.perform(synchronous: { transaction in
            let ann = transaction.create(Into<Person>())
            ann.name = "Ann"
            let bob = transaction.create(Into<Person>())
            bob.name = "Bob"
            bob.score = 2.5
            for index in 0..<5 {
                let dog = transaction.create(Into<Dog>())
                dog.nickname = "Dog \(index)"
                dog.age = index
                dog.master = index < 3 ? ann : bob
            }
            #expect(ann.pets.count == 3)
            ann.friends = [bob]
            #expect(bob.friendOf == [ann])
            let old = try transaction.fetchCount(From<Dog>().where(\.$age > 2))
            #expect(old == 2)
        })
        let people = try stack.fetchAll(From<Person>().orderBy(.descending(\.$name)))
        #expect(people.map(\.name) == ["Bob", "Ann"])
        #expect(people[1].pets.count == 3)
        #expect(people[1].friends == [people[0]])
        #expect(people[0].friendOf == [people[1]])
        let dogs = try stack.fetchAll(From<Animal>().where((\Animal.$master ~ \.$name) == "Ann"))
        #expect(dogs.count == 3)
        #expect(dogs.allSatisfy { $0 is Dog && $0.master === people[1] })
        try stack.perform(synchronous: { transaction in
            let ann = try #require(transaction.edit(people[1]))
            ann.score = 9
            transaction.delete(people[0])
            #expect(ann.friends.isEmpty)
        })
        #expect(people[1].score == 9)
        #expect(people[0].isDeleted)
        #expect(people[0].name == "Bob")
        #expect(people[1].friends.isEmpty)
        #expect(try stack.fetchCount(From<Animal>().where(\.$master == nil)) == 2)
        #expect(try stack.queryValue(From<Dog>().select(Int.self, .maximum(\.$age))) == 4)
        #expect(throws: CoreStoreError.self) { try stack.fetchAll(From<Dog>(), Where<Dog>("nickame", isEqualTo: "x")) }
        try stack.perform(synchronous: { transaction in
            let again = transaction.create(Into<Person>())
            again.name = "Ann"
            again.score = 11
        })
        #expect(try stack.fetchCount(From<Person>()) == 1)
        #expect(people[1].score == 11)
    }
}
