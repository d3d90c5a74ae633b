import Coffer
import Foundation
import TestSupport
import Testing

/// The model of the tests of clauses: masters with pets, of which some are dogs.
enum Kennel {
    class Pet: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("species") var species: String?
        @Field.Stored("age") var age: Int?
        @Field.Stored("weight") var weight: Double = 1
        @Field.Stored("price") var price: Decimal = 0
        @Field.Stored("born") var born: Date?
        @Field.Relationship("master") var master: Master?
        @Field.Relationship("friends", inverse: \.$friendOf) var friends: Set<Pet>
        @Field.Relationship("friendOf") var friendOf: Set<Pet>
    }

    final class Dog: Pet {
        @Field.Stored("tricks") var tricks: Int = 0
    }

    final class Master: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("city") var city: String?
        @Field.Relationship("pets", inverse: \.$master) var pets: Set<Pet>
        @Field.Relationship("spouse", inverse: \.$spouseOf) var spouse: Master?
        @Field.Relationship("spouseOf") var spouseOf: Master?
    }

    static let schema = CoreStoreSchema(
        modelVersion: "V1",
        entityConfigurations: [
            Entity<Pet>("Pet"): ["A", "B"], Entity<Dog>("Dog"): ["A", "B"], Entity<Master>("Master"): ["A", "B"],
        ]
    )

    /// Ann (married to Ben, in Rome) with Ada, Bo and the dog Cy; Ben (no city) with the dog Di; Cat (Oslo) with none;
    /// Eve belongs to nobody and has neither age nor species.
    static func filled(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            func master(_ name: String, _ city: String?) -> Master {
                let master = transaction.create(Into<Master>())
                (master.name, master.city) = (name, city)
                return master
            }
            func fill(_ pet: Pet, _ name: String, _ species: String?, _ age: Int?, _ master: Master?) -> Pet {
                (pet.name, pet.species, pet.age, pet.master) = (name, species, age, master)
                return pet
            }
            let (ann, ben) = (master("Ann", "Rome"), master("Ben", nil))
            _ = master("Cat", "Oslo")
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

extension TestStack {
    /// The names of the pets a fetch finds, sorted unless the order is wanted, in the stack, in a transaction, and in a
    /// transaction with something pending: all three must agree.
    func names(
        _ clauses: any FetchClause..., isOrdered: Bool = false, location: SourceLocation = #_sourceLocation
    ) throws -> String {
        func text(_ pets: [Kennel.Pet]) -> String {
            let names = pets.map(\.name)
            return (isOrdered ? names : names.sorted()).joined(separator: " ")
        }
        let stored = text(try stack.fetchAll(From<Kennel.Pet>(), clauses))
        let transaction = stack.beginUnsafe()
        let inside = text(try transaction.fetchAll(From<Kennel.Pet>(), clauses))
        // Every pet and master becomes pending without being different, so the clauses are decided in memory.
        for pet in try transaction.fetchAll(From<Kennel.Pet>()) { pet.weight += 0 }
        for master in try transaction.fetchAll(From<Kennel.Master>()) { master.name += "" }
        let pending = text(try transaction.fetchAll(From<Kennel.Pet>(), clauses))
        #expect(inside == stored, sourceLocation: location)
        #expect(pending == stored, sourceLocation: location)
        #expect(
            try stack.fetchCount(From<Kennel.Pet>(), clauses)
                == (stored.isEmpty ? 0 : stored.split(separator: " ").count), sourceLocation: location)
        return stored
    }
}
