import Coffer

/// The first version of the model that most tests migrate.
enum V1 {
    final class Person: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("nick") var nick: String?
        @Field.Stored("age") var age: Int16 = 0
        @Field.Relationship("dogs", inverse: \.$master) var dogs: [Dog]
        @Field.Relationship("clubs", inverse: \.$members) var clubs: Set<Club>
        @Field.Relationship("spouse", inverse: \.$spouseOf) var spouse: Person?
        @Field.Relationship("spouseOf") var spouseOf: Person?
    }

    final class Dog: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("master") var master: Person?
    }

    final class Club: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("members") var members: [Person]
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1", entities: [Entity<Person>("Person"), Entity<Dog>("Dog"), Entity<Club>("Club")]
    )

    /// Creates Ann with two dogs and two clubs, her spouse Bob with one dog and one club, and a stray dog.
    static func fill(_ transaction: SynchronousDataTransaction) {
        func person(_ name: String, _ nick: String?, _ age: Int16) -> Person {
            let person = transaction.create(Into<Person>())
            (person.name, person.nick, person.age) = (name, nick, age)
            return person
        }
        func dog(_ name: String) -> Dog {
            let dog = transaction.create(Into<Dog>())
            dog.name = name
            return dog
        }
        func club(_ name: String, _ members: [Person]) {
            let club = transaction.create(Into<Club>())
            (club.name, club.members) = (name, members)
        }
        let (ann, bob) = (person("Ann", "annie", 30), person("Bob", nil, 40))
        ann.spouse = bob
        let (rex, bella, duke, _) = (dog("Rex"), dog("Bella"), dog("Duke"), dog("Stray"))
        ann.dogs = [bella, rex]
        bob.dogs = [duke]
        club("Chess", [bob, ann])
        club("Boats", [ann])
    }
}

/// The second version, in which everything has another name.
enum V2 {
    final class Person: CoreStoreObject {
        @Field.Stored("fullName", previousVersionKeyPath: "name") var fullName: String = ""
        @Field.Stored("nick") var nick: String = "nobody"
        @Field.Stored("years", previousVersionKeyPath: "age") var years: Int = 0
        @Field.Stored("mood") var mood: String = "fine"
        @Field.Relationship("pets", inverse: \.$owner, previousVersionKeyPath: "dogs") var pets: [Dog]
        @Field.Relationship("groups", inverse: \.$people, previousVersionKeyPath: "clubs") var groups: Set<Club>
        @Field.Relationship("partner", inverse: \.$partnerOf, previousVersionKeyPath: "spouse") var partner: Person?
        @Field.Relationship("partnerOf") var partnerOf: Person?
    }

    final class Dog: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("owner", previousVersionKeyPath: "master") var owner: Person?
    }

    final class Club: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("people", previousVersionKeyPath: "members") var people: [Person]
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V2", entities: [Entity<Person>("Person"), Entity<Dog>("Dog"), Entity<Club>("Club")]
    )
}

/// The third version, in which the names change again.
enum V3 {
    final class Person: CoreStoreObject {
        @Field.Stored("title", previousVersionKeyPath: "fullName") var title: String = ""
        @Field.Stored("years") var years: Int = 0
        @Field.Relationship("animals", inverse: \.$keeper, previousVersionKeyPath: "pets") var animals: [Dog]
    }

    final class Dog: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("keeper", previousVersionKeyPath: "owner") var keeper: Person?
    }

    static let schema = CoreStoreSchema(modelVersion: "V3", entities: [Entity<Person>("Person"), Entity<Dog>("Dog")])
}
