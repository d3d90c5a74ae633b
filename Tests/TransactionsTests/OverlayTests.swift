import Coffer
import Foundation
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
    @Field.Relationship("owner") var owner: Owner?
}

private final class Dog: Animal {}

private final class Owner: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Relationship("animals", inverse: \.$owner) var animals: Set<Animal>
    @Field.Relationship("friends", inverse: \.$friendOf) var friends: [Owner]
    @Field.Relationship("friendOf") var friendOf: Set<Owner>
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Animal>("Animal"), Entity<Dog>("Dog"), Entity<Owner>("Owner")]
)

/// Fetches inside a transaction: saved objects together with pending changes.
@MainActor
struct OverlayTests {
    /// Returns a stack with the animals a1 … a6 of ages 1 … 6.
    ///
    /// The animals with even ages are dogs. Ann owns a1 … a3, and Bob owns the other animals.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            let owners = ["Ann", "Bob"].map { name in
                let owner = transaction.create(Into<Owner>())
                owner.name = name
                return owner
            }
            for age in 1...6 {
                let animal = age % 2 == 0 ? transaction.create(Into<Dog>()) : transaction.create(Into<Animal>())
                animal.name = "a\(age)"
                animal.age = age
                animal.owner = owners[age <= 3 ? 0 : 1]
            }
        })
        return test
    }

    /// Deletes a2, sets the age of a4 to 40, and creates n3 of age 3 and the dog n5 of age 5.
    private func change(_ transaction: BaseDataTransaction) throws {
        let animals = try transaction.fetchAll(From<Animal>().orderBy(.ascending(\.$age)))
        transaction.delete(animals[1])
        animals[3].age = 40
        let three = transaction.create(Into<Animal>())
        three.name = "n3"
        three.age = 3
        let five = transaction.create(Into<Dog>())
        five.name = "n5"
        five.age = 5
    }

    /// Runs the body in a synchronous and an unsafe transaction with the changes, and in a child of such a transaction.
    private func inTransaction(_ backend: TestBackend, _ body: (BaseDataTransaction) throws -> Void) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            try change(transaction)
            try body(transaction)
        })
        let other = try make(backend)
        let unsafe = other.stack.beginUnsafe()
        try change(unsafe)
        try body(unsafe)
        let parent = other.stack.beginUnsafe()
        try change(parent)
        try body(parent.beginUnsafe())
    }

    private func names(_ source: any FetchableSource, _ clauses: any FetchClause...) throws -> [String] {
        try source.fetchAll(From<Animal>(), clauses).map(\.name)
    }

    private let byAge = OrderBy<Animal>(.ascending(\.$age), .ascending(\.$name))

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a fetch returns pending objects in order and omits deleted objects`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let all = try names(transaction, byAge)
            #expect(all == ["a1", "a3", "n3", "a5", "n5", "a6", "a4"])
            let descending = try names(transaction, OrderBy<Animal>(.descending(\.$age), .descending(\.$name)))
            #expect(descending == all.reversed())
            let count = try transaction.fetchCount(From<Animal>())
            #expect(count == 7)
        }
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `conditions use pending values`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let young = try names(transaction, Where<Animal>(\.$age < 5), byAge)
            #expect(young == ["a1", "a3", "n3"])
            let old = try names(transaction, Where<Animal>(\.$age == 40))
            #expect(old == ["a4"])
            let never = try names(transaction, Where<Animal>(\.$age == 4))
            #expect(never == [])
            let fives = try transaction.fetchCount(From<Animal>(), Where<Animal>(\.$age == 5))
            #expect(fives == 2)
        }
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `limits and offsets include pending objects`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let all = ["a1", "a3", "n3", "a5", "n5", "a6", "a4"]
            for offset in 0...8 {
                for limit in 1...8 {
                    let tweak = Tweak {
                        $0.fetchOffset = offset
                        $0.fetchLimit = limit
                    }
                    let window = Array(all.dropFirst(offset).prefix(limit))
                    let found = try names(transaction, byAge, tweak)
                    #expect(found == window, "offset \(offset), limit \(limit)")
                    let count = try transaction.fetchCount(From<Animal>(), byAge, tweak)
                    #expect(count == window.count, "offset \(offset), limit \(limit)")
                    let ids = try transaction.fetchObjectIDs(From<Animal>(), byAge, tweak)
                    let objects: [Animal] = transaction.fetchExisting(ids)
                    #expect(objects.map(\.name) == window, "offset \(offset), limit \(limit)")
                }
            }
            let first = try transaction.fetchOne(From<Animal>(), byAge)
            #expect(first?.name == "a1")
            let last = try transaction.fetchObjectID(From<Animal>(), OrderBy<Animal>(.descending(\.$age)))
            #expect(last == objectNamed("a4", in: transaction)?.objectID())
        }
    }

    private func objectNamed(_ name: String, in source: any FetchableSource) -> Animal? {
        try? source.fetchOne(From<Animal>(), Where<Animal>(\.$name == name))
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a fetch can exclude sub-entities`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let dogs = try transaction.fetchAll(From<Dog>().orderBy(.ascending(\.$age))).map(\.name)
            #expect(dogs == ["n5", "a6", "a4"])
            let plain = try names(transaction, byAge, Tweak { $0.includesSubentities = false })
            #expect(plain == ["a1", "a3", "n3", "a5"])
        }
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `a fetch can exclude pending changes`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            try change(transaction)
            let saved = Tweak { $0.includesPendingChanges = false }
            let count = try transaction.fetchCount(From<Animal>(), saved)
            #expect(count == 6)
            let four = try names(transaction, Where<Animal>(\.$age == 4), saved)
            #expect(four == ["a4"])
            let ids = try transaction.fetchObjectIDs(From<Animal>(), byAge, saved)
            #expect(ids.count == 6)
        })
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `conditions and orders use pending changes of related objects`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let owner = (\Animal.$owner ~ \.$name)
            let ann = try #require(try transaction.fetchOne(From<Owner>(), Where<Owner>(\.$name == "Ann")))
            ann.name = "Zoe"
            let anns = try names(transaction, Where<Animal>(owner == "Ann"))
            #expect(anns == [])
            let zoes = try names(transaction, Where<Animal>(owner == "Zoe"), byAge)
            #expect(zoes == ["a1", "a3"])
            objectNamed("n5", in: transaction)?.owner = ann
            objectNamed("a1", in: transaction)?.owner = nil
            let more = try names(transaction, Where<Animal>(owner == "Zoe"), byAge)
            #expect(more == ["a3", "n5"])
            let unowned = try names(transaction, Where<Animal>(\.$owner == nil), byAge)
            #expect(unowned == ["a1", "n3"])
            let sorted = try names(
                transaction, Where<Animal>(\.$owner != nil), OrderBy<Animal>(.descending("owner.name")) + byAge
            )
            #expect(sorted == ["a3", "n5", "a5", "a6", "a4"])
            let owners = try transaction.fetchAll(From<Owner>(), Where<Owner>((\Owner.$animals).count() == 2))
            #expect(owners.map(\.name) == ["Zoe"])
        }
    }

    @Test(.pins("TX-30"), arguments: TestBackend.allCases)
    func `conditions use pending links of many-to-many relationships`(_ backend: TestBackend) throws {
        let test = try make(backend)
        try test.stack.perform(synchronous: { transaction in
            let owners = try transaction.fetchAll(From<Owner>().orderBy(.ascending(\.$name)))
            let befriended = Where<Owner>((\Owner.$friendOf).count() > 0)
            let before = try transaction.fetchCount(From<Owner>(), befriended)
            #expect(before == 0)
            owners[0].friends = [owners[1]]
            let after = try transaction.fetchAll(From<Owner>(), befriended)
            #expect(after.map(\.name) == ["Bob"])
            owners[1].friendOf = []
            let none = try transaction.fetchCount(From<Owner>(), befriended)
            #expect(none == 0)
        })
    }

    @Test(.pins("TX-30", "FQ-10"), arguments: TestBackend.allCases)
    func `queries of attributes return only saved values`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let rows = try transaction.queryAttributes(
                From<Animal>().select(NSDictionary.self, .attribute(\.$name), .attribute(\.$age))
                    .orderBy(.ascending(\.$age)))
            #expect(rows.compactMap { $0["name"] as? String } == ["a1", "a2", "a3", "a4", "a5", "a6"])
            #expect(rows.compactMap { $0["age"] as? Int } == [1, 2, 3, 4, 5, 6])
            let old = try transaction.queryAttributes(
                From<Animal>().select(NSDictionary.self, .attribute(\.$name)).where(\.$age == 40))
            #expect(old.isEmpty)
        }
    }

    @Test(.pins("TX-30", "FQ-10"), arguments: TestBackend.allCases)
    func `aggregate queries use only saved values`(_ backend: TestBackend) throws {
        try inTransaction(backend) { transaction in
            let count = try transaction.queryValue(From<Animal>(), Select<Animal, Int>(.count(\.$age)))
            #expect(count == 6)
            let sum = try transaction.queryValue(From<Animal>().select(Int.self, .sum(\.$age)))
            #expect(sum == 21)
        }
    }
}
