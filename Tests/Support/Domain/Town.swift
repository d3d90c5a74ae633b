package import Coffer
package import Foundation

/// The model of tests that run on stores: people in cities, with their pets.
package enum Town {
    package struct Mood: Codable, Equatable {
        package var colour = "grey"

        package init(colour: String = "grey") { self.colour = colour }
    }

    package class Person: CoreStoreObject {
        @Field.Stored("name") package var name: String = ""
        @Field.Stored("age") package var age: Int = 0
        @Field.Stored("city") package var city: String?
        @Field.Stored("isMember") package var isMember: Bool = false
        @Field.Coded("mood", coder: FieldCoders.Json.self) package var mood: Mood = Mood()
        @Field.Stored("title", customGetter: { _, field in "The \(field.primitiveValue ?? "")" })
        package var title: String = ""
        @Field.Virtual("label", customGetter: { object, _ in "\(object.$name.value) (\(object.$age.value))" })
        package var label: String
        @Field.Virtual("decade", customGetter: { object, _ in object.$age.value / 10 })
        package var decade: Int
        @Field.Relationship("pets", inverse: \.$master) package var pets: Set<Pet>
        @Field.Relationship("friends", inverse: \.$friendOf) package var friends: [Person]
        @Field.Relationship("friendOf") package var friendOf: Set<Person>
        @Field.Relationship("spouse", inverse: \.$spouseOf) package var spouse: Person?
        @Field.Relationship("spouseOf") package var spouseOf: Person?
    }

    package final class Mayor: Person {
        @Field.Stored("term") package var term: Int = 1
    }

    package class Pet: CoreStoreObject {
        @Field.Stored("name") package var name: String = ""
        @Field.Stored("species") package var species: String?
        @Field.Stored("age") package var age: Int?
        @Field.Stored("weight") package var weight: Double = 1
        @Field.Stored("price") package var price: Decimal = 0
        @Field.Stored("born") package var born: Date?
        @Field.Relationship("master") package var master: Person?
        @Field.Relationship("friends", inverse: \.$friendOf) package var friends: Set<Pet>
        @Field.Relationship("friendOf") package var friendOf: Set<Pet>
    }

    package final class Dog: Pet {
        @Field.Stored("tricks") package var tricks: Int = 0
    }

    package static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [
            Entity<Person>("Person"): ["A", "B"], Entity<Mayor>("Mayor"): ["A", "B"], Entity<Pet>("Pet"): ["A", "B"],
            Entity<Dog>("Dog"): ["A", "B"],
        ]
    )

    /// Returns a stack with an empty town.
    package static func empty(_ backend: TestBackend) throws -> TestStack { try TestStack(backend, schema) }

    /// Returns a stack with people of the specified names and ages.
    package static func filled(_ backend: TestBackend, _ people: KeyValuePairs<String, Int>) throws -> TestStack {
        let test = try empty(backend)
        try test.stack.perform(synchronous: { transaction in
            for (name, age) in people {
                let person = transaction.create(Into<Person>())
                (person.name, person.age) = (name, age)
            }
        })
        return test
    }

    /// Ann (married to Ben, in Rome) with Ada, Bo and the dog Cy; Ben (no city) with the dog Di; Cat (Oslo) with none;
    /// Eve has no master, no age and no species.
    package static func filledWithPets(_ backend: TestBackend) throws -> TestStack {
        let test = try empty(backend)
        try test.stack.perform(synchronous: { transaction in
            func person(_ name: String, _ city: String?) -> Person {
                let person = transaction.create(Into<Person>())
                (person.name, person.city) = (name, city)
                return person
            }
            func fill(_ pet: Pet, _ name: String, _ species: String?, _ age: Int?, _ master: Person?) -> Pet {
                (pet.name, pet.species, pet.age, pet.master) = (name, species, age, master)
                return pet
            }
            let (ann, ben) = (person("Ann", "Rome"), person("Ben", nil))
            _ = person("Cat", "Oslo")
            ann.spouse = ben
            let ada = fill(transaction.create(Into<Pet>()), "Ada", "cat", 3, ann)
            let bo = fill(transaction.create(Into<Pet>()), "Bo", "cat", 5, ann)
            let cy = fill(transaction.create(Into<Dog>()), "Cy", "dog", 10, ann)
            let di = fill(transaction.create(Into<Dog>()), "Di", "dog", 1, ben)
            _ = fill(transaction.create(Into<Pet>()), "Eve", nil, nil, nil)
            (cy as? Dog)?.tricks = 4
            (ada.weight, bo.weight, cy.weight, di.weight) = (2.5, 3.5, 20, 10)
            (ada.price, bo.price, cy.price) = (Decimal(string: "0.1") ?? 0, Decimal(string: "0.2") ?? 0, 100)
            ada.friends = [bo, cy]
            cy.friends = [di]
        })
        return test
    }
}
