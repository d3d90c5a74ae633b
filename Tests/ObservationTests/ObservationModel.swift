import Coffer
import Foundation
import TestSupport

/// The model of the tests of observers: people in cities, with dogs.
enum Town {
    struct Mood: Codable, Equatable {
        var colour = "grey"
    }

    class Person: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("age") var age: Int = 0
        @Field.Stored("city") var city: String?
        @Field.Stored("isMember") var isMember: Bool = false
        @Field.Coded("mood", coder: FieldCoders.Json.self) var mood: Mood = Mood()
        @Field.Stored("title", customGetter: { _, field in "The \(field.primitiveValue ?? "")" }) var title: String = ""
        @Field.Virtual("label", customGetter: { object, _ in "\(object.$name.value) (\(object.$age.value))" })
        var label: String
        @Field.Virtual("decade", customGetter: { object, _ in object.$age.value / 10 })
        var decade: Int
        @Field.Relationship("dogs", inverse: \.$master) var dogs: Set<Dog>
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: [Person]
        @Field.Relationship("friendOf") var friendOf: Set<Person>
    }

    final class Mayor: Person {
        @Field.Stored("term") var term: Int = 1
    }

    final class Dog: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("age") var age: Int = 0
        @Field.Relationship("master") var master: Person?
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [Entity<Person>("TownPerson"), Entity<Mayor>("TownMayor"), Entity<Dog>("TownDog")]
    )

    /// An empty town.
    static func empty(_ backend: TestBackend) throws -> TestStack { try TestStack(backend, schema) }

    /// People by their names and ages.
    static func filled(_ backend: TestBackend, _ people: KeyValuePairs<String, Int>) throws -> TestStack {
        let test = try empty(backend)
        try test.stack.perform(synchronous: { transaction in
            for (name, age) in people {
                let person = transaction.create(Into<Person>())
                (person.name, person.age) = (name, age)
            }
        })
        return test
    }
}

extension TestStack {
    /// Changes the person with a name.
    func edit(_ name: String, source: Any? = nil, _ change: @escaping (Town.Person) -> Void) throws {
        try stack.perform(
            synchronous: { transaction in
                try transaction.fetchOne(From<Town.Person>().where(\.$name == name)).map(change)
            }, sourceIdentifier: source
        )
    }

    /// Adds a person.
    func add(_ name: String, _ age: Int = 0, city: String? = nil, source: Any? = nil) throws {
        try stack.perform(
            synchronous: { transaction in
                let person = transaction.create(Into<Town.Person>())
                (person.name, person.age, person.city) = (name, age, city)
            }, sourceIdentifier: source
        )
    }

    /// Deletes the person with a name.
    func delete(_ name: String, source: Any? = nil) throws {
        try stack.perform(
            synchronous: { transaction in try transaction.deleteAll(From<Town.Person>().where(\.$name == name)) },
            sourceIdentifier: source
        )
    }

    /// Another stack on the same store.
    @MainActor
    func otherStack() throws -> DataStack {
        let other = DataStack(Town.schema)
        if backend == .memory {
            try Self.add(stack._graph.stores[0].storage, to: other)
        } else {
            try Self.addStore(backend, to: other, in: directory)
        }
        return other
    }

    func person(_ name: String) throws -> Town.Person? {
        try stack.fetchOne(From<Town.Person>().where(\.$name == name))
    }
}

extension ListSnapshot where O == Town.Person {
    /// The names, with those of the sections before them where there are any: "Oslo: Ann Bob, Rome: Cat".
    var text: String {
        sections().map { section in
            let names = section.map { $0.snapshot?.$name ?? "?" }.joined(separator: " ")
            return section.sectionID.isEmpty ? names : "\(section.sectionID): \(names)"
        }.joined(separator: ", ")
    }
}
