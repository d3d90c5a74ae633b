import Coffer
import TestSupport
import Testing

/// The identity of objects in contexts with many objects: each row has one object.
@MainActor
struct IdentityTests {
    private typealias Dog = Town.Dog

    /// New keys start again at the front of a table in which every fourth entry is in use.
    @Test(arguments: TestBackend.allCases)
    func `each row has exactly one object after thousands of objects are created`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            for tricks in 0..<8_000 { transaction.create(Into<Dog>()).tricks = tricks }
        })
        try test.stack.perform(synchronous: { transaction throws in
            var known: [ObjectID: Dog] = [:]
            let fourth = Array(stride(from: 0, to: 8_000, by: 4))
            for dog in try transaction.fetchAll(From<Dog>().where(fourth ~= \.$tricks)) { known[dog.cs_id()] = dog }
            for tricks in 8_000..<14_000 {
                let dog = transaction.create(Into<Dog>())
                dog.tricks = tricks
                known[dog.cs_id()] = dog
            }
            for (id, dog) in known where dog.tricks % 3 == 0 {
                transaction.delete(dog)
                known[id] = nil
            }
            #expect(known.count == 8_000 / 4 + 6_000 - 2_667)
            for (id, dog) in known { #expect(transaction.fetchExisting(id) as Dog? === dog) }
            let all = try transaction.fetchAll(From<Dog>())
            #expect(all.count { known[$0.cs_id()] === $0 } == known.count)
            #expect(Set(all.map { $0.cs_id() }).count == all.count)
        })
    }

    /// A large table of a transaction gets the memory of the table of an earlier transaction.
    @Test(arguments: TestBackend.allCases)
    func `a transaction with thousands of objects has none of an earlier transaction`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema)
        try test.stack.perform(synchronous: { transaction in
            for tricks in 0..<16_000 { transaction.create(Into<Dog>()).tricks = tricks }
        })
        var kept: [Dog] = []
        for round in 0..<4 {
            try test.stack.perform(synchronous: { transaction throws in
                let range = round * 3_000..<(round + 1) * 3_000 + round * 1_000
                let dogs = try transaction.fetchAll(
                    From<Dog>().where(\.$tricks >= range.lowerBound && \.$tricks < range.upperBound)
                        .orderBy(.ascending(\.$tricks)))
                #expect(dogs.map(\.tricks) == Array(range))
                for dog in dogs { #expect(transaction.fetchExisting(dog.cs_id()) as Dog? === dog) }
                for dog in kept { #expect(transaction.fetchExisting(dog) !== dog) }
                kept = Array(dogs.prefix(10))
            })
            #expect(kept.map { test.stack.fetchExisting($0)?.tricks } == (0..<10).map { round * 3_000 + $0 })
        }
    }
}
