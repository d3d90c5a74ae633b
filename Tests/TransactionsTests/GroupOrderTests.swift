import Coffer
import Foundation
import TestSupport
import Testing

/// Orders of queries by aggregates and by values that the groups do not contain.
@MainActor
struct GroupOrderTests {
    private typealias Pet = Town.Pet
    private typealias Person = Town.Person

    private func species(_ test: TestStack, _ order: OrderBy<Pet>, limit: Int = 0) throws -> [String] {
        try test.stack.queryAttributes(
            From<Pet>().select(NSDictionary.self, .attribute(\.$species), .maximum(\.$age, as: "oldest"))
                .groupBy(\.$species).orderBy(order).tweak { $0.fetchLimit = limit }
        ).map { $0["species"] as? String ?? "-" }
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `a query with only aggregates ignores its order`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let count = try test.stack.queryValue(
            From<Pet>().select(Int.self, .count(\.$age)).orderBy(.ascending(\.$name)))
        #expect(count == 4)
        let all = try test.stack.queryAttributes(
            From<Pet>().select(NSDictionary.self, .count(\.$age, as: "n"), .sum(\.$age, as: "s"))
                .orderBy(.descending(\.$age)))
        #expect(all as? [[String: Int]] == [["n": 4, "s": 19]])
        #expect(throws: CoreStoreError.self) {
            try test.stack.queryValue(From<Pet>().select(Int.self, .count(\.$age)).orderBy(.ascending("agge")))
        }
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `groups are ordered by an aggregate's alias`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try species(test, OrderBy(.ascending("oldest"))) == ["-", "cat", "dog"])
        #expect(try species(test, OrderBy(.descending("oldest"))) == ["dog", "cat", "-"])
        #expect(try species(test, OrderBy(.descending("oldest")), limit: 1) == ["dog"])
        #expect(try species(test, OrderBy(.descending("species"))) == ["dog", "cat", "-"])
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `groups are ordered by a property that is not selected`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        // An ascending order uses the least value of the group, a descending order the greatest.
        #expect(try species(test, OrderBy(.ascending(\.$age))) == ["-", "dog", "cat"])
        #expect(try species(test, OrderBy(.descending(\.$age))) == ["dog", "cat", "-"])
        #expect(try species(test, OrderBy(.descending(\.$name))) == ["-", "dog", "cat"])
        #expect(try species(test, OrderBy(.ascending(\.$master ~ \.$name))) == ["-", "cat", "dog"])
        #expect(try species(test, OrderBy(.ascending(\.$name, options: .caseInsensitive))) == ["cat", "dog", "-"])
        #expect(throws: CoreStoreError.self) { try species(test, OrderBy(.ascending("agge"))) }
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `a relationship is counted for each object`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let rows = try test.stack.queryAttributes(
            From<Person>(), Select<Person, NSDictionary>("name", .count("pets")),
            OrderBy<Person>(.ascending(\.$name)))
        #expect(rows.map { $0["name"] as? String } == ["Ann", "Ben", "Cat"])
        #expect(rows.map { $0["count(pets)"] as? Int } == [3, 1, 0])
        let named = try test.stack.queryAttributes(
            From<Person>(), Select<Person, NSDictionary>("name", .count("pets", as: "n")),
            OrderBy<Person>(.descending("n")))
        #expect(named.map { $0["n"] as? Int } == [3, 1, 0])
    }

    @Test(.pins("CLS-71"), arguments: TestBackend.allCases)
    func `Core Data's performance options do not change the result of a fetch`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let tweak = Tweak {
            $0.returnsObjectsAsFaults = false
            $0.includesPropertyValues = false
            $0.propertiesToFetch = ["name"]
        }
        #expect(try test.names(tweak) == "Ada Bo Cy Di Eve")
    }

    @Test(.pins("CLS-42"), arguments: TestBackend.allCases)
    func `any, all and none support inequality`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        func masters(_ clause: Where<Person>) throws -> String {
            try test.stack.fetchAll(From<Person>().where(clause)).map(\.name).sorted().joined(separator: " ")
        }
        let ages = \Person.$pets ~ \.$age
        for (clause, format, found) in [
            (ages.all() != 10, "ALL pets.age != 10", "Ben Cat"),
            (ages.any() != 10, "ANY pets.age != 10", "Ann Ben"),
            (ages.none() != 1, "NONE pets.age != 1", "Ben Cat"),
            (ages.all() != nil, "ALL pets.age != nil", "Ann Ben Cat"),
        ] {
            #expect(clause == Where(format))
            #expect(try masters(clause) == found, "\(format)")
            #expect(try masters(Where(format)) == found, "\(format)")
        }
        let ann = try #require(try test.stack.fetchOne(From<Person>().where(\.$name == "Ann")))
        #expect(try test.names(Where<Pet>((\Pet.$friends ~ \.$master).all() != ann)) == "Bo Cy Di Eve")
        #expect(try test.names(Where<Pet>((\Pet.$friends ~ \.$master).any() != ann)) == "Cy")
        #expect(try test.names(Where<Pet>((\Pet.$master ~ \.$spouse) != ann)) == "Ada Bo Cy Di Eve")
    }

    @Test(.pins("CLS-27"), arguments: TestBackend.allCases)
    func `a condition template accepts substitution variables`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let template = try PredicateFormat("age > $limit AND species == $species")
        #expect(
            try test.names(Where<Pet>(format: template, substitutionVariables: ["limit": 3, "species": "cat"])) == "Bo")
        #expect(
            try test.names(Where<Pet>(format: template, substitutionVariables: ["limit": 1, "species": "dog"])) == "Cy")
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.fetchAll(From<Pet>(), Where<Pet>(format: template, substitutionVariables: ["limit": 1]))
        }
        #expect(error?.storageError?.message.contains("'$species' has no value.") == true)
    }

    @Test(.pins("CLS-27"), arguments: TestBackend.allCases)
    func `lowercase converts a sigma at the end of a word to a final sigma`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        try test.stack.perform(synchronous: { $0.create(Into<Pet>()).name = "ΟΔΥΣΣΕΥΣ" })
        #expect(try test.names(Where<Pet>("lowercase:(name) == 'οδυσσευς'")) == "ΟΔΥΣΣΕΥΣ")
        #expect(try test.names(Where<Pet>("lowercase:(name) == 'οδυσσευσ'")) == "")
    }
}
