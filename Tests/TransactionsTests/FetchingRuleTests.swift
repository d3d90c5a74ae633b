import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

/// Rules of fetching and querying that other tests check only in part.
@MainActor
struct FetchingRuleTests {
    private class Bird: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Stored("age") var age: Int = 0
        @Field.Stored("weight") var weight: Double?
        @Field.Stored("hatched") var hatched: Date?
        @Field.Stored("song") var song: Data?
        @Field.Stored("isTame") var isTame: Bool = false
        @Field.Stored("price") var price: Decimal = 0
        @Field.Relationship("cage") var cage: Cage?
    }

    private final class Parrot: Bird {}

    private final class Cage: CoreStoreObject {
        @Field.Stored("name") var name: String = ""
        @Field.Relationship("birds", inverse: \.$cage, deleteRule: .cascade) var birds: Set<Bird>
    }

    private let schema = CoreStoreSchema(
        modelVersion: "V1",
        entities: [Entity<Bird>("RuleBird"), Entity<Parrot>("RuleParrot"), Entity<Cage>("RuleCage")])

    /// Adds the birds b1 … b4 of ages 1 … 4 in one cage; b4 is a parrot, and b1 has no optional values.
    private func fill(_ stack: DataStack) throws {
        try stack.perform(synchronous: { transaction in
            let cage = transaction.create(Into<Cage>())
            cage.name = "Cage"
            for age in 1...4 {
                let bird: Bird = age == 4 ? transaction.create(Into<Parrot>()) : transaction.create(Into<Bird>())
                (bird.name, bird.age, bird.cage, bird.price) = ("b\(age)", age, cage, Decimal(age))
                guard age > 1 else { continue }
                bird.weight = Double(age) + 0.5
                bird.hatched = Date(timeIntervalSinceReferenceDate: Double(age))
                (bird.song, bird.isTame) = (Data([UInt8(age)]), true)
            }
        })
    }

    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try fill(test.stack)
        return test
    }

    @Test(.pins("FQ-01"), arguments: TestBackend.allCases)
    func `queryAttributes accepts single clauses, a list of clauses or a clause chain`(_ backend: TestBackend) throws {
        let test = try make(backend)
        func check(_ source: any QueryableSource) throws {
            let select = Select<Bird, NSDictionary>(.attribute(\.$age))
            let (old, order) = (Where<Bird>(\.$age > 2), OrderBy<Bird>(.descending(\.$age)))
            let chain = From<Bird>().select(NSDictionary.self, .attribute(\.$age)).where(\.$age > 2)
            let spellings = [
                try source.queryAttributes(From<Bird>(), select, old, order),
                try source.queryAttributes(From<Bird>(), select, [old, order]),
                try source.queryAttributes(chain.orderBy(.descending(\.$age))),
            ]
            for rows in spellings { #expect(rows.map { $0["age"] as? Int } == [4, 3]) }
        }
        try check(test.stack)
        try test.stack.perform(synchronous: { try check($0) })
        try check(test.stack.beginUnsafe())
    }

    @Test(.pins("FQ-02"), arguments: TestBackend.allCases)
    func `fetching ids or a count reads no rows`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack)
        func check(_ source: any FetchableSource) throws {
            _ = probed.store.takeRequests()
            let order = OrderBy<Bird>(.ascending(\.$age))
            let ids = try source.fetchObjectIDs(From<Bird>(), order)
            #expect(probed.store.takeRequests() == ["keys RuleBird"])
            #expect(try source.fetchObjectID(From<Bird>(), order) == ids[0])
            #expect(probed.store.takeRequests() == ["keys RuleBird"])
            #expect(try source.fetchCount(From<Bird>()) == 4)
            #expect(probed.store.takeRequests() == ["count RuleBird"])
            let birds: [Bird] = source.fetchExisting(ids)
            #expect(birds.map(\.name) == ["b1", "b2", "b3", "b4"])
            #expect(probed.store.takeRequests() == ["4 rows RuleBird"])
        }
        try check(probed.stack)
        try check(probed.stack.beginUnsafe())
        try probed.stack.perform(synchronous: { try check($0) })
    }

    @Test(.pins("FQ-03"), arguments: TestBackend.allCases)
    func `ids of a cancelled transaction find objects saved before and log nothing`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        var ids: [ObjectID] = []
        #expect(throws: CoreStoreError.userCancelled) {
            try test.stack.perform(synchronous: { transaction in
                let old = try transaction.fetchAll(From<Bird>().orderBy(.descending(\.$age)))
                ids = [transaction.create(Into<Bird>()).objectID()] + old.map { $0.objectID() }
                transaction.delete(old[0])
                try transaction.cancel()
            })
        }
        let log = RecordingLogger.record("RuleBird#") {
            let none: Bird? = test.stack.fetchExisting(ids[0])
            #expect(none == nil)
            let found: [Bird] = test.stack.fetchExisting(ids)
            #expect(found.map(\.name) == ["b4", "b3", "b2", "b1"])
            let backwards = Array(found.reversed())
            let again: [Bird] = test.stack.fetchExisting(AnySequence(backwards))
            #expect(again == backwards)
        }
        #expect(log.entries.isEmpty)
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `deleteAll deletes and counts all matching objects in every kind of transaction`(
        _ backend: TestBackend
    ) async throws {
        @Sendable func delete(_ transaction: BaseDataTransaction) throws -> [Int] {
            transaction.create(Into<Bird>()).name = "pending"
            let old = try transaction.deleteAll(From<Bird>().where(\.$age > 3))
            let pending = try transaction.deleteAll(From<Bird>(), Where<Bird>(\.$name == "pending"))
            let none = try transaction.deleteAll(From<Bird>(), [Where<Bird>(\.$age > 3)])
            // Objects that a delete rule deletes are not counted.
            let cages = try transaction.deleteAll(From<Cage>())
            return [old, pending, none, cages, try transaction.fetchCount(From<Bird>())]
        }
        let expected = [1, 1, 0, 1, 0]
        let synchronous = try make(backend)
        #expect(try synchronous.stack.perform(synchronous: { try delete($0) }) == expected)
        let asynchronous = try make(backend)
        #expect(try await asynchronous.stack.outcome { try delete($0) }.get() == expected)
        let unsafe = try make(backend)
        let draft = unsafe.stack.beginUnsafe()
        #expect(try delete(draft) == expected)
        #expect(try unsafe.stack.fetchCount(From<Bird>()) == 4)
        try draft.commitAndWait()
        for test in [synchronous, asynchronous, unsafe] {
            #expect(try test.stack.fetchCount(From<Bird>()) == 0 && test.stack.fetchCount(From<Cage>()) == 0)
        }
    }

    @Test(.pins("FQ-06"), arguments: TestBackend.allCases)
    func `deleteAll applies the order, the limit and the offset like a fetch`(_ backend: TestBackend) throws {
        let test = try make(backend)
        func names(_ source: any FetchableSource) throws -> [String] {
            try source.fetchAll(From<Bird>().orderBy(.ascending(\.$name))).map(\.name)
        }
        try test.stack.perform(synchronous: { transaction in
            let new = transaction.create(Into<Bird>())
            (new.name, new.age) = ("b9", 9)
            let down = OrderBy<Bird>(.descending(\.$age))
            let two = try transaction.deleteAll(From<Bird>(), down, Tweak { $0.fetchLimit = 2 })
            #expect(two == 2)
            let left = try names(transaction)
            #expect(left == ["b1", "b2", "b3"])
            let one = try transaction.deleteAll(From<Bird>().orderBy(.ascending(\.$age)).offset(1).limit(1))
            #expect(one == 1)
            let none = try transaction.deleteAll(From<Bird>().limit(0))
            #expect(none == 0)
        })
        #expect(try names(test.stack) == ["b1", "b3"])
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `queryValue returns the first term of the first row, or nil for null or another type`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        let (up, down) = (OrderBy<Bird>(.ascending(\.$age)), OrderBy<Bird>(.descending(\.$age)))
        func value<V: QueryableAttributeType>(
            _ type: V.Type, _ order: OrderBy<Bird>, _ first: SelectTerm<Bird>, _ others: SelectTerm<Bird>...
        ) throws -> V? {
            try test.stack.queryValue(From<Bird>(), Select<Bird, V>([first] + others), order)
        }
        #expect(try value(String.self, up, .attribute(\.$name)) == "b1")
        #expect(try value(String.self, down, .attribute(\.$name), .attribute(\.$age)) == "b4")
        #expect(try value(Int.self, down, .attribute(\.$age), .attribute(\.$name)) == 4)
        // The first row has no weight, but other rows have one.
        #expect(try value(Double.self, up, .attribute(\.$weight)) == nil)
        #expect(try value(Double.self, down, .attribute(\.$weight)) == 4.5)
        #expect(try value(Data.self, down, .attribute(\.$song)) == Data([4]))
        #expect(try value(Date.self, down, .attribute(\.$hatched)) == Date(timeIntervalSinceReferenceDate: 4))
        #expect(try value(Int8.self, down, .attribute(\.$weight)) == 4)
        #expect(try value(Bool.self, up, .attribute(\.$isTame)) == false)
        #expect(try value(String.self, down, .attribute(\.$age)) == nil)
        #expect(try value(Int.self, down, .attribute(\.$name)) == nil)
        #expect(try value(Data.self, down, .attribute(\.$name)) == nil)
        #expect(try value(URL.self, down, .attribute(\.$age)) == nil)
        #expect(try value(UUID.self, down, .attribute(\.$name)) == nil)
        let none = Where<Bird>(\.$age > 9)
        #expect(try test.stack.queryValue(From<Bird>(), Select<Bird, String>(.attribute(\.$name)), none) == nil)
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `counts, sums and averages convert to numeric types and are nil for other types`(_ backend: TestBackend) throws
    {
        let test = try make(backend)
        func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Bird>) throws -> V? {
            try test.stack.queryValue(From<Bird>(), Select<Bird, V>(term))
        }
        let count = SelectTerm<Bird>.count(\.$age)
        #expect(try value(Int.self, count) == 4 && value(Int16.self, count) == 4 && value(Double.self, count) == 4)
        #expect(try value(Bool.self, count) == true && value(NSNumber.self, count) == 4)
        #expect(try value(NSDecimalNumber.self, count) == nil && value(String.self, count) == nil)
        #expect(try value(Data.self, count) == nil && value(Date.self, count) == nil && value(URL.self, count) == nil)
        #expect(try value(UUID.self, count) == nil && value(NSString.self, count) == nil)
        for term in [SelectTerm<Bird>.sum(\.$song), .average(\.$song), .sum(\.$name), .average(\.$hatched)] {
            #expect(try value(Double.self, term) == nil && value(Int.self, term) == nil, "\(term)")
            #expect(try value(Data.self, term) == nil && value(NSNumber.self, term) == nil, "\(term)")
        }
        #expect(try value(Int.self, .average(\.$age)) == 2 && value(Double.self, .average(\.$age)) == 2.5)
        #expect(try value(Int8.self, .average(\.$weight)) == 3 && value(Double.self, .average(\.$weight)) == 3.5)
    }

    @Test(.pins("FQ-07", "CLS-83"), arguments: TestBackend.allCases)
    func `an aggregate of any kind of attribute has the attribute's type or is a number`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Bird>) throws -> V? {
            try test.stack.queryValue(From<Bird>(), Select<Bird, V>(term))
        }
        #expect(try value(Int.self, .sum(\.$isTame)) == 3 && value(Bool.self, .sum(\.$isTame)) == true)
        #expect(try value(Double.self, .average(\.$isTame)) == 0.75 && value(Bool.self, .average(\.$isTame)) == true)
        #expect(try value(Bool.self, .maximum(\.$isTame)) == true && value(Bool.self, .minimum(\.$isTame)) == false)
        #expect(try value(NSDecimalNumber.self, .sum(\.$price)) == NSDecimalNumber(value: 10))
        #expect(try value(NSDecimalNumber.self, .average(\.$price)) == NSDecimalNumber(string: "2.5"))
        #expect(try value(NSDecimalNumber.self, .maximum(\.$price)) == NSDecimalNumber(value: 4))
        #expect(try value(Int16.self, .sum(\.$age)) == 10 && value(Float.self, .average(\.$age)) == 2.5)
        #expect(try value(NSNumber.self, .average(\.$age)) == 2.5)
        #expect(try value(NSString.self, .maximum(\.$name)) == "b4" && value(String.self, .minimum(\.$name)) == "b1")
        #expect(try value(Data.self, .maximum(\.$song)) == Data([4]))
        #expect(try value(NSData.self, .minimum(\.$song)) == NSData(data: Data([2])))
        #expect(
            try value(NSDate.self, .maximum(\.$hatched)) == NSDate(timeIntervalSinceReferenceDate: 4))
        #expect(try value(Date.self, .minimum(\.$hatched)) == Date(timeIntervalSinceReferenceDate: 2))
        let terms: [SelectTerm<Bird>] = [
            .attribute(\.$age), .average(\.$age), .count(\.$age), .maximum(\.$age), .minimum(\.$age), .sum(\.$age),
        ]
        for term in terms { #expect(try value(ObjectID.self, term) == nil, "\(term)") }
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `a queried id is nil if another type is requested`(_ backend: TestBackend) throws {
        let test = try make(backend)
        func value<V: QueryableAttributeType>(_ type: V.Type) throws -> V? {
            try test.stack.queryValue(From<Bird>(), Select<Bird, V>(.objectID()), OrderBy<Bird>(.ascending(\.$age)))
        }
        #expect(try value(ObjectID.self) == test.stack.fetchObjectID(From<Bird>().orderBy(.ascending(\.$age))))
        #expect(try value(Bool.self) == nil && value(Int.self) == nil && value(Int64.self) == nil)
        #expect(try value(Double.self) == nil && value(NSNumber.self) == nil && value(NSDecimalNumber.self) == nil)
        #expect(try value(String.self) == nil && value(NSString.self) == nil && value(URL.self) == nil)
        #expect(try value(Data.self) == nil && value(Date.self) == nil && value(UUID.self) == nil)
    }

    @Test(.pins("FQ-02", "FQ-08"), arguments: TestBackend.allCases)
    func `queries without matching objects return no rows, and aggregates return 0 or nil`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        func check(_ source: any QueryableSource, _ clauses: [any QueryClause]) throws {
            func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Bird>) throws -> V? {
                try source.queryValue(From<Bird>(), Select<Bird, V>(term), clauses)
            }
            #expect(try value(Int.self, .count(\.$age)) == 0 && value(Int.self, .count(\.$name)) == 0)
            #expect(try value(Int.self, .sum(\.$age)) == 0 && value(Double.self, .sum(\.$weight)) == 0)
            #expect(try value(Decimal.self, .sum(\.$price)) == 0 && value(Int.self, .sum(\.$isTame)) == 0)
            #expect(try value(Double.self, .average(\.$age)) == nil)
            #expect(try value(Decimal.self, .average(\.$price)) == nil)
            #expect(try value(Int.self, .maximum(\.$age)) == nil && value(Int.self, .minimum(\.$age)) == nil)
            #expect(try value(Decimal.self, .maximum(\.$price)) == nil)
            #expect(try value(String.self, .maximum(\.$name)) == nil && value(Date.self, .minimum(\.$hatched)) == nil)
            #expect(try value(String.self, .attribute(\.$name)) == nil && value(ObjectID.self, .objectID()) == nil)
            let aggregates = Select<Bird, NSDictionary>(
                .count(\.$age, as: "n"), .sum(\.$age, as: "s"), .average(\.$age), .maximum(\.$age), .minimum(\.$age))
            let row = try source.queryAttributes(From<Bird>(), aggregates, clauses)
            #expect(row as? [[String: Int]] == [["n": 0, "s": 0]])
            let names = Select<Bird, NSDictionary>(.attribute(\.$name))
            #expect(try source.queryAttributes(From<Bird>(), names, clauses).isEmpty)
            let groups = Select<Bird, NSDictionary>(.attribute(\.$name), .count(\.$age))
            #expect(try source.queryAttributes(From<Bird>(), groups, clauses + [GroupBy<Bird>(\.$name)]).isEmpty)
        }
        try check(test.stack, [])
        try fill(test.stack)
        try check(test.stack, [Where<Bird>(\.$age > 9)])
        try check(test.stack.beginUnsafe(), [Where<Bird>(\.$age > 9)])
        try test.stack.perform(synchronous: { try check($0, [Where<Bird>(\.$age > 9)]) })
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `queried rows contain Foundation objects`(_ backend: TestBackend) throws {
        let test = try make(backend)
        let rows = try test.stack.queryAttributes(
            From<Bird>().select(
                NSDictionary.self, .attribute(\.$name), .attribute(\.$age), .attribute(\.$weight),
                .attribute(\.$hatched), .attribute(\.$song), .attribute(\.$isTame), .attribute(\.$price), .objectID()
            ).orderBy(.descending(\.$age)))
        let row = try #require(rows.first)
        #expect(row["name"] is NSString && row["name"] as? String == "b4")
        #expect(row["age"] is NSNumber && row["age"] as? NSNumber == 4)
        #expect(row["weight"] is NSNumber && row["weight"] as? Double == 4.5)
        #expect(row["hatched"] is NSDate && row["hatched"] as? Date == Date(timeIntervalSinceReferenceDate: 4))
        #expect(row["song"] is NSData && row["song"] as? Data == Data([4]))
        #expect(row["isTame"] is NSNumber && row["isTame"] as? Bool == true)
        #expect((row["price"] as? NSDecimalNumber)?.isEqual(to: NSDecimalNumber(value: 4)) == true)
        let ids = try test.stack.fetchObjectIDs(From<Bird>().orderBy(.descending(\.$age)))
        #expect(row.values.compactMap { $0 as? ObjectID } == [ids[0]])
        #expect(rows.map(\.count) == [8, 8, 8, 5])
    }

    @Test(.pins("FQ-10"), arguments: TestBackend.allCases)
    func `queries in transactions return saved values, and the returned rows do not change later`(
        _ backend: TestBackend
    ) throws {
        let test = try make(backend)
        func change(_ transaction: BaseDataTransaction) throws {
            let birds = try transaction.fetchAll(From<Bird>().orderBy(.ascending(\.$age)))
            (birds[1].age, birds[1].name) = (20, "old")
            transaction.delete(birds[2])
            transaction.create(Into<Bird>()).age = 9
        }
        let all = From<Bird>().select(NSDictionary.self, .attribute(\.$age), .attribute(\.$name))
            .orderBy(.ascending(\.$age))
        func text(_ rows: [[String: Any]]) -> [String] {
            rows.map { "\($0["name"] as? String ?? "-") \($0["age"] as? Int ?? -1)" }
        }
        func check(_ source: any QueryableSource) throws -> [[String: Any]] {
            let rows = try source.queryAttributes(all)
            #expect(text(rows) == ["b1 1", "b2 2", "b3 3", "b4 4"])
            let pending = try source.queryAttributes(all.where(\.$age > 5))
            #expect(pending.isEmpty)
            let greatest = try source.queryValue(From<Bird>().select(Int.self, .maximum(\.$age)))
            #expect(greatest == 4)
            let name = try source.queryValue(From<Bird>().select(String.self, .attribute(\.$name)).where(\.$age == 2))
            #expect(name == "b2")
            return rows
        }
        let parent = test.stack.beginUnsafe()
        try change(parent)
        _ = try check(parent)
        let child = parent.beginUnsafe()
        try change(child)
        _ = try check(child)
        var rows: [[String: Any]] = []
        try test.stack.perform(synchronous: { transaction in
            try change(transaction)
            rows = try check(transaction)
        })
        #expect(text(rows) == ["b1 1", "b2 2", "b3 3", "b4 4"])
        #expect(try text(test.stack.queryAttributes(all)) == ["b1 1", "b4 4", " 9", "old 20"])
    }

    @Test(.pins("FQ-11"), arguments: TestBackend.allCases)
    func `a failed read throws an error and logs it once`(_ backend: TestBackend) throws {
        let probed = try ProbedStack(backend, schema)
        try fill(probed.stack)
        let reason = "The disk of \(UUID().uuidString) is on fire."
        func failing(_ operation: String, _ source: any FetchableSource, _ body: () throws -> Void) {
            probed.store.fail(.read, with: StorageError(.failed, reason))
            let recording = RecordingLogger.record(reason.dropLast().description) {
                let error = #expect(throws: CoreStoreError.self) { try body() }
                #expect(error?.storageError?.code == .failed)
            }
            #expect(recording.entries == [.error(.internalError, "The \(operation) failed.")])
        }
        func check(_ source: any FetchableSource & QueryableSource) {
            failing("fetch", source) { _ = try source.fetchAll(From<Bird>()) }
            failing("fetch", source) { _ = try source.fetchOne(From<Bird>()) }
            failing("fetch", source) { _ = try source.fetchObjectID(From<Bird>()) }
            failing("fetch", source) { _ = try source.fetchObjectIDs(From<Bird>()) }
            failing("count", source) { _ = try source.fetchCount(From<Bird>()) }
            let names = From<Bird>().select(NSDictionary.self, .attribute(\.$name))
            failing("query", source) { _ = try source.queryAttributes(names) }
            failing("query", source) {
                _ = try source.queryValue(From<Bird>().select(Int.self, .count(\.$name)))
            }
        }
        check(probed.stack)
        let draft = probed.stack.beginUnsafe()
        check(draft)
        failing("delete", draft) { try draft.deleteAll(From<Bird>()) }
    }
}
