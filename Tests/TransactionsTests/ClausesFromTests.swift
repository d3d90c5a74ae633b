import Coffer
import CofferTransactions
import Foundation
import TestSupport
import Testing

/// The stores and rows that a fetch examines.
@MainActor
struct ClausesFromTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    /// Returns a stack with three stores of pets.
    ///
    /// The pets of ages 0, 3, 6 are in the default store, 1, 4, 7 in A, and 2, 5, 8 in B. The pets 4 and 8 are dogs.
    /// Each pet has a master.
    private func makeStack(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, Town.schema)
        try test.addStore(configuration: "A")
        try test.addStore(configuration: "B")
        try test.stack.perform(synchronous: { transaction in
            for age in 0..<9 {
                let store = [nil, "A", "B"][age % 3]
                let pet =
                    age % 4 == 0 && age > 0
                    ? transaction.create(Into<Dog>(store)) : transaction.create(Into<Pet>(store))
                pet.age = age
                pet.name = "p\(age)"
                pet.species = age < 4 ? "young" : nil
                pet.master = transaction.create(Into<Person>(store))
                pet.master?.name = "m\(8 - age)"
            }
        })
        return test
    }

    private func ages(_ from: From<Pet>, _ clauses: any FetchClause..., test: TestStack) throws -> [Int] {
        let stored = try test.stack.fetchAll(from, clauses + [OrderBy<Pet>(.ascending(\.$age))]).compactMap(\.age)
        let transaction = test.stack.beginUnsafe()
        #expect(
            try transaction.fetchAll(from, clauses + [OrderBy<Pet>(.ascending(\.$age))]).compactMap(\.age) == stored)
        #expect(try test.stack.fetchCount(from, clauses) == stored.count)
        #expect(try test.stack.fetchObjectIDs(from, clauses).count == stored.count)
        return stored
    }

    @Test(.pins("CLS-01"), arguments: TestBackend.allCases)
    func `a From clause reads the stores of its configurations`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        #expect(try ages(From<Pet>(), test: test) == Array(0...8))
        #expect(try ages(From(Pet.self), test: test) == Array(0...8))
        #expect(try ages(From<Pet>(nil), test: test) == [0, 3, 6])
        #expect(try ages(From<Pet>("A"), test: test) == [1, 4, 7])
        #expect(try ages(From<Pet>("B", nil), test: test) == [0, 2, 3, 5, 6, 8])
        #expect(try ages(From<Pet>(["A", "B"]), test: test) == [1, 2, 4, 5, 7, 8])
        #expect(try ages(From(Pet.self, "A"), test: test) == [1, 4, 7])
        #expect(try ages(From(Pet.self, ["B"]), test: test) == [2, 5, 8])
        #expect(try ages(From<Pet>("PF_DEFAULT_CONFIGURATION_NAME"), test: test) == [0, 3, 6])
        #expect(throws: CoreStoreError.self) { try test.stack.fetchAll(From<Pet>([])) }
    }

    @Test(.pins("CLS-02"), arguments: TestBackend.allCases)
    func `a fetch or query combines the objects of several stores`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        func names(_ clauses: any FetchClause...) throws -> String {
            try test.stack.fetchAll(From<Pet>(), clauses).map { $0.name.dropFirst() }.joined()
        }
        #expect(try names(OrderBy<Pet>(.descending(\.$age))) == "876543210")
        #expect(try names(OrderBy<Pet>(.ascending("master.name"))) == "876543210")
        #expect(try names(OrderBy<Pet>(.ascending(\.$species), .descending(\.$age))) == "876543210")
        #expect(try names(Where<Pet>(\.$age > 3), OrderBy<Pet>(.ascending(\.$age))) == "45678")
        #expect(
            try names(OrderBy<Pet>(.ascending(\.$age)), Tweak { ($0.fetchLimit, $0.fetchOffset) = (3, 2) }) == "234")
        #expect(try names(Where<Pet>((\.$master ~ \.$name) == "m1")) == "7")
        #expect(try test.stack.fetchOne(From<Pet>().orderBy(.descending(\.$age)))?.age == 8)
        #expect(try test.stack.fetchCount(From<Pet>().tweak { $0.fetchLimit = 4 }) == 4)
        #expect(try test.stack.queryValue(From<Pet>().select(Int.self, .sum(\.$age))) == 36)
        #expect(try test.stack.queryValue(From<Pet>("A").select(Int.self, .sum(\.$age))) == 12)
        let groups = try test.stack.queryAttributes(
            From<Pet>().select(NSDictionary.self, "species", .count(\.$age)).groupBy(\.$species).orderBy(
                .ascending(\.$species))
        )
        #expect(groups.map { $0["count(age)"] as? Int } == [5, 4])
    }

    @Test(.pins("CLS-02"), arguments: TestBackend.allCases)
    func `ids of objects in several stores differ and find their objects`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let ids = try test.stack.fetchObjectIDs(From<Pet>().orderBy(.ascending(\.$age)))
        #expect(Set(ids).count == 9)
        let found: [Pet] = test.stack.fetchExisting(ids)
        #expect(found.compactMap(\.age) == Array(0...8))
        let queried = try test.stack.queryAttributes(
            From<Pet>().select(NSDictionary.self, "age", .objectID()).orderBy(.ascending(\.$age))
        )
        #expect(queried.map { $0["objectID"] as? ObjectID } == ids)
        #expect(queried.map { $0["age"] as? Int } == Array(0...8))
        let masters = try test.stack.queryAttributes(
            From<Pet>().select(NSDictionary.self, "master").orderBy(.ascending(\.$age)).tweak { $0.fetchOffset = 7 }
        )
        #expect(masters.map { $0["master"] as? ObjectID } == found[7...].map { $0.master?.objectID() })
        let last = From<Pet>().select(ObjectID.self, .objectID()).orderBy(.descending(\.$age))
        #expect(try test.stack.queryValue(last) == ids[8])
        let paths = From<Pet>().select(NSDictionary.self, "master.name", "species").orderBy(.descending("master.name"))
        let rows = try test.stack.queryAttributes(paths.tweak { $0.fetchLimit = 2 })
        #expect(rows.map { $0["master.name"] as? String } == ["m8", "m7"])
        let distinct = From<Pet>().select(NSDictionary.self, "species").tweak { $0.returnsDistinctResults = true }
        #expect(try test.stack.queryAttributes(distinct).count == 2)
        // The groups are computed in memory, where objects of different stores cannot be distinguished.
        let error = #expect(throws: CoreStoreError.self) {
            try test.stack.queryAttributes(From<Pet>().select(NSDictionary.self, .count(\.$age)).groupBy("master"))
        }
        #expect(
            error?.storageError?.message
                == "A grouped query over several stores cannot select objects. Name one configuration in 'From'."
        )
        let path = #expect(throws: CoreStoreError.self) {
            try test.stack.queryValue(From<Pet>().select(Int.self, .count("master.name")))
        }
        #expect(
            path?.storageError?.message
                == "A grouped query over several stores cannot follow relationships. Name one configuration in 'From'."
        )
    }

    @Test(.pins("CLS-02", "CLS-26"), arguments: TestBackend.allCases)
    func `a comparison with an object matches only rows of that object's store`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        let pets = try test.stack.fetchAll(From<Pet>().orderBy(.ascending(\.$age)))
        let masters = pets.compactMap(\.master)
        #expect(masters.count == 9)
        #expect(try ages(From<Pet>(), Where<Pet>(\.$master == masters[4]), test: test) == [4])
        #expect(try ages(From<Pet>("A"), Where<Pet>(\.$master == masters[4]), test: test) == [4])
        #expect(try ages(From<Pet>("B"), Where<Pet>(\.$master == masters[4]), test: test) == [])
        #expect(
            try ages(From<Pet>(), Where<Pet>(\.$master != masters[4]), test: test) == [0, 1, 2, 3, 5, 6, 7, 8])
        let three = [masters[3], masters[4], masters[8]]
        #expect(try ages(From<Pet>(), Where<Pet>(three ~= \.$master), test: test) == [3, 4, 8])
        let ids = [masters[0], masters[5]].map { $0.objectID() }
        #expect(try ages(From<Pet>(), Where<Pet>("master", isMemberOf: ids), test: test) == [0, 5])
        #expect(try ages(From<Pet>(), Where<Pet>("SELF IN %@", [pets[1], pets[2]]), test: test) == [1, 2])
    }

    @Test(.pins("CLS-02", "CLS-72"), arguments: TestBackend.allCases)
    func `limits and counts apply to all stores together and include pending changes`(
        _ backend: TestBackend
    ) throws {
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>("A")).age = 9
            transaction.create(Into<Dog>("B")).age = -1
            let three = try transaction.fetchOne(From<Pet>().where(\.$age == 3))
            transaction.delete(three)
            let byAge = From<Pet>().orderBy(.descending(\.$age))
            let window = byAge.tweak { ($0.fetchLimit, $0.fetchOffset) = (3, 5) }
            let found = try transaction.fetchAll(window).compactMap(\.age)
            #expect(found == [4, 2, 1])
            let ids = try transaction.fetchObjectIDs(window)
            let objects: [Pet] = transaction.fetchExisting(ids)
            #expect(objects.compactMap(\.age) == [4, 2, 1])
            let first = try transaction.fetchOne(byAge)?.age
            #expect(first == 9)
            let counts = [
                try transaction.fetchCount(byAge), try transaction.fetchCount(byAge.tweak { $0.fetchLimit = 7 }),
                try transaction.fetchCount(byAge.tweak { $0.fetchOffset = 8 }),
                try transaction.fetchCount(From<Pet>("A", nil).tweak { $0.fetchLimit = 4 }),
            ]
            #expect(counts == [10, 7, 2, 4])
        })
    }

    @Test(.pins("FQ-08"), arguments: TestBackend.allCases)
    func `aggregates over several stores without matching objects are 0 or nil`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Pet>) throws -> V? {
            try test.stack.queryValue(From<Pet>(), Select<Pet, V>(term), Where<Pet>(\.$age > 100))
        }
        #expect(try value(Int.self, .count(\.$age)) == 0 && value(Int.self, .sum(\.$age)) == 0)
        #expect(try value(Decimal.self, .sum(\.$price)) == 0 && value(Double.self, .sum(\.$weight)) == 0)
        #expect(try value(Double.self, .average(\.$age)) == nil && value(Int.self, .maximum(\.$age)) == nil)
        #expect(try value(String.self, .minimum(\.$name)) == nil && value(String.self, .attribute(\.$name)) == nil)
    }

    @Test(.pins("CLS-03")) func `a request for a class without a store throws and logs one error`() throws {
        final class Nobody: CoreStoreObject {}
        let stack = DataStack(CoreStoreSchema(modelVersion: "V1", entities: [Entity<Nobody>("Nobody")]))
        func check(_ operation: String, _ body: () throws -> Void) throws {
            let log = RecordingLogger.record("'Nobody'") {
                let error = #expect(throws: CoreStoreError.self) { try body() }
                #expect(error == .persistentStoreNotFound(entity: Nobody.self))
            }
            #expect(log.entries == [.error(.persistentStoreNotFound, "The \(operation) failed.")])
        }
        try check("fetch") { _ = try stack.fetchAll(From<Nobody>()) }
        try check("fetch") { _ = try stack.fetchOne(From<Nobody>("A")) }
        try check("count") { _ = try stack.fetchCount(From<Nobody>()) }
        try check("fetch") { _ = try stack.fetchObjectID(From<Nobody>()) }
        try check("fetch") { _ = try stack.fetchObjectIDs(From<Nobody>()) }
        try check("query") { _ = try stack.queryAttributes(From<Nobody>().select(NSDictionary.self, .objectID())) }
        try check("query") { _ = try stack.queryValue(From<Nobody>().select(ObjectID.self, .objectID())) }
        try check("delete") { _ = try stack.beginUnsafe().deleteAll(From<Nobody>()) }
    }

    @Test(.pins("CLS-04"), arguments: TestBackend.allCases)
    func `a request for an entity includes the objects of its sub-entities`(_ backend: TestBackend) throws {
        let test = try makeStack(backend)
        let all = try test.stack.fetchAll(From<Pet>().orderBy(.ascending(\.$age)))
        #expect(all.filter { $0 is Dog }.compactMap(\.age) == [4, 8])
        #expect(try test.stack.fetchAll(From<Dog>().orderBy(.ascending { $0.$age })).compactMap(\.age) == [4, 8])
        #expect(try test.stack.fetchCount(From<Dog>("B")) == 1)
        #expect(try test.stack.queryValue(From<Pet>().select(Int.self, .maximum(\.$age))) == 8)
    }

    @Test(.pins("CLS-05"), arguments: TestBackend.allCases)
    func `nil and Core Data's default name both select the default configuration`(_ backend: TestBackend) throws {
        #expect(DataStack.defaultConfigurationName == "PF_DEFAULT_CONFIGURATION_NAME")
        let test = try makeStack(backend)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>(nil)).age = 10
            transaction.create(Into<Pet>(DataStack.defaultConfigurationName)).age = 11
            transaction.create(Into<Pet>("B")).age = 12
        })
        #expect(try ages(From<Pet>(nil), test: test) == [0, 3, 6, 10, 11])
        #expect(try ages(From<Pet>("A"), test: test) == [1, 4, 7])
        #expect(try ages(From<Pet>("B"), test: test) == [2, 5, 8, 12])
    }

    @Test(.pins("CLS-09"), arguments: TestBackend.allCases)
    func `appended clauses apply like other clauses`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let fetch: [any FetchClause] = [Where<Pet>(\.$age > 3), OrderBy<Pet>(.descending(\.$name))]
        #expect(try test.stack.fetchAll(From<Pet>().appending(contentsOf: fetch)).map(\.name) == ["Cy", "Bo"])
        let chain = From<Pet>().orderBy(.descending(\.$name)).appending(fetch[0])
        #expect(try test.stack.fetchAll(chain).map(\.name) == ["Cy", "Bo"])
        let query: [any QueryClause] = [GroupBy<Pet>("species"), OrderBy<Pet>(.ascending("species"))]
        let counts = From<Pet>().select(NSDictionary.self, .count("name", as: "n")).appending(contentsOf: query)
        #expect(try test.stack.queryAttributes(counts).map { $0["n"] as? Int } == [1, 2, 2])
        let cats = counts.appending(Where<Pet>(\.$species == "cat"))
        #expect(try test.stack.queryAttributes(cats).map { $0["n"] as? Int } == [2])
    }

    @Test(.pins("CLS-08"), arguments: TestBackend.allCases)
    func `the last of several clauses of one kind applies, and a warning is logged`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let log = try RecordingLogger.record("on 'Pet' was overwritten") {
            let twice = From<Pet>().where(\.$age == 3).where(\.$age == 5)
            let last = try test.stack.fetchAll(twice).map(\.name)
            #expect(last == ["Bo"])
            let orders = From<Pet>().orderBy(.ascending(\.$name)).orderBy(.descending(\.$name))
            let ordered = try test.stack.fetchAll(orders).map(\.name)
            #expect(ordered == ["Eve", "Di", "Cy", "Bo", "Ada"])
            let groups = From<Pet>().select(NSDictionary.self, "species").groupBy("age").groupBy("species")
            let count = try test.stack.queryAttributes(groups).count
            #expect(count == 3)
        }
        #expect(log.messages(.warning).count == 3)
        let same = try RecordingLogger.record("on 'Pet' was overwritten") {
            _ = try test.stack.fetchAll(From<Pet>().where(\.$age == 3).where(\.$age == 3))
        }
        #expect(same.entries == [])
    }
}
