import Coffer
import Foundation
import TestSupport
import Testing

/// Conditions on related objects.
@MainActor
struct ClausesPathTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    private func masters(_ clause: Where<Person>, _ test: TestStack) throws -> String {
        func text(_ source: any FetchableSource) throws -> String {
            try source.fetchAll(From<Person>(), clause, OrderBy<Person>(.ascending(\.$name))).map(\.name).joined(
                separator: " ")
        }
        let stored = try text(test.stack)
        let transaction = test.stack.beginUnsafe()
        for pet in try transaction.fetchAll(From<Pet>()) { pet.weight += 0 }
        #expect(try text(transaction) == stored)
        return stored
    }

    @Test(.pins("CLS-50"), arguments: TestBackend.allCases)
    func `a key path in a condition follows to-one relationships`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) == "Ann")) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$spouse ~ \.$name) == "Ben")) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$spouseOf ~ \.$name) == "Ann")) == "Di")
        #expect(try test.names(Where<Pet>("master.city", isEqualTo: "Rome")) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>((\Pet.$master ~ \.$name) == "Ann" && \Pet.$age > 3)) == "Bo Cy")
        #expect(try test.names(Where<Pet>(\.$master ~ \.$name == "Ben")) == "Di")
        #expect(try test.stack.fetchAll(From<Dog>(), Where<Dog>("master.name", isEqualTo: "Ann")).map(\.name) == ["Cy"])
    }

    @Test(.pins("CLS-51"), arguments: TestBackend.allCases)
    func `conditions can count to-many relationships and use any, all and none`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try masters((\Person.$pets).count() == 3, test) == "Ann")
        #expect(try masters((\Person.$pets).count() < 2, test) == "Ben Cat")
        #expect(try masters((\Person.$pets).count() == 0, test) == "Cat")
        #expect(try masters((\Person.$pets ~ \.$age).any() > 9, test) == "Ann")
        #expect(try masters((\Person.$pets ~ \.$age).any() == 1, test) == "Ben")
        #expect(try masters((\Person.$pets ~ \.$age).all() > 2, test) == "Ann Cat")
        #expect(try masters((\Person.$pets ~ \.$age).none() > 4, test) == "Ben Cat")
        #expect(try masters((\Person.$pets ~ \.$species).any() == "dog", test) == "Ann Ben")
        #expect(try masters(["cat", "fish"] ~= (\Person.$pets ~ \.$species).any(), test) == "Ann")
        #expect(try test.names(Where<Pet>((\Pet.$friends ~ \.$name).any() == "Cy")) == "Ada")
        #expect(try test.names(Where<Pet>((\Pet.$friendOf).count() == 1)) == "Bo Cy Di")
        #expect(try masters((\Person.$spouse ~ \.$pets).count() == 1, test) == "Ann")
    }

    @Test(.pins("CLS-52")) func `the description of an expression is its key path`() {
        #expect("\((\Person.$pets).count())" == "pets.@count")
        #expect((\Person.$pets ~ \.$age).any().cs_keyPathString == "ANY pets.age")
        #expect((\Person.$pets ~ \.$age).all().cs_keyPathString == "ALL pets.age")
        #expect((\Person.$pets ~ \.$age).none().description == "NONE pets.age")
        #expect((\Pet.$master ~ \.$spouse ~ \.$name).description == "master.spouse.name")
    }

    @Test(.pins("CLS-53"), arguments: TestBackend.allCases)
    func `conditions accept empty to-many relationships and nil relationships in a path`(_ backend: TestBackend) throws
    {
        let test = try Town.filledWithPets(backend)
        try test.stack.perform(synchronous: { $0.delete(try $0.fetchAll(From<Pet>().where(\.$master != nil))) })
        #expect(try masters((\Person.$pets ~ \.$age).any() > 0, test) == "")
        #expect(try masters((\Person.$pets ~ \.$age).all() > 0, test) == "Ann Ben Cat")
        #expect(try masters((\Person.$pets ~ \.$age).none() > 0, test) == "Ann Ben Cat")
        // Eve has no master, so the path has no value: it equals nil and is neither less nor greater.
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) == "Ann")) == "")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) != "Ann")) == "Eve")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) < "Z")) == "")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$city) == nil)) == "Eve")
        #expect(try test.names(Where<Pet>("master.spouse.name", isEqualTo: nil)) == "Eve")
    }

    @Test(.pins("CLS-53"), arguments: TestBackend.allCases)
    func `after a nil relationship in a path, a to-many relationship is empty and its count is nil`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        // Ann's spouse has one pet of age 1; Ben and Cat have no spouse.
        let ages = \Person.$spouse ~ \.$pets ~ \.$age
        #expect(try masters(ages.any() > 0, test) == "Ann")
        #expect(try masters(ages.all() > 0, test) == "Ann Ben Cat")
        #expect(try masters(ages.all() > 5, test) == "Ben Cat")
        #expect(try masters(ages.none() > 0, test) == "Ben Cat")
        #expect(try masters(ages.none() > 5, test) == "Ann Ben Cat")
        #expect(try masters((\Person.$spouse ~ \.$pets).count() == 0, test) == "")
        #expect(try masters((\Person.$spouse ~ \.$pets).count() > 0, test) == "Ann")
        // An empty collection contains no value, not even nil.
        let species = \Person.$pets ~ \.$species
        #expect(try masters(species.any() == nil, test) == "")
        #expect(try masters(species.all() == nil, test) == "Cat")
        #expect(try masters(species.none() == nil, test) == "Ann Ben Cat")
    }

    @Test(.pins("CLS-54"), arguments: TestBackend.allCases)
    func `expressions are compared by every operator`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) != "Ann")) == "Di Eve")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) > "Ann")) == "Di")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$name) <= "Ann")) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$city) >= "Rome")) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$city) <= nil)) == "")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$city) == nil)) == "Di Eve")
        #expect(try test.names(Where<Pet>((\.$master ~ \.$city) != nil)) == "Ada Bo Cy")
        #expect(try test.names(Where<Pet>(["Ben", "Cat"] ~= (\.$master ~ \.$name))) == "Di")
        #expect(try masters((\Person.$pets ~ \.$age).any() != 10, test) == "Ann Ben")
        #expect(try masters((\Person.$pets ~ \.$age).any() <= 1, test) == "Ben")
    }

    @Test(.pins("CLS-55"), arguments: TestBackend.allCases)
    func `a key path in a condition follows several to-many relationships`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try test.names(Where<Pet>((\Pet.$master ~ \.$spouse ~ \.$pets).count() == 1)) == "Ada Bo Cy")
        #expect(try masters((\Person.$spouse ~ \.$pets ~ \.$name).any() == "Di", test) == "Ann")
        #expect(try test.names(Where<Pet>((\Pet.$friends ~ \.$friends ~ \.$name).any() == "Di")) == "Ada")
    }

    @Test(.pins("CLS-50"), arguments: TestBackend.allCases)
    func `a condition with a key path uses pending changes of related objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        try test.stack.perform(synchronous: { transaction in
            let ben = try #require(try transaction.fetchOne(From<Person>().where(\.$name == "Ben")))
            ben.name = "Bernie"
            let eve = try #require(try transaction.fetchOne(From<Pet>().where(\.$name == "Eve")))
            eve.master = ben
            let found = try transaction.fetchAll(
                From<Pet>().where((\.$master ~ \.$name) == "Bernie").orderBy(.ascending(\.$name)))
            #expect(found.map(\.name) == ["Di", "Eve"])
            let gone = try transaction.fetchCount(From<Pet>().where((\.$master ~ \.$name) == "Ben"))
            #expect(gone == 0)
            let busy = try transaction.fetchAll(From<Person>().where((\Person.$pets).count() == 2))
            #expect(busy == [ben])
            transaction.delete(ben)
            let free = try transaction.fetchCount(From<Pet>(), Where<Pet>("master.name", isEqualTo: nil))
            #expect(free == 2)
        })
    }
}
