import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

private class Animal: CoreStoreObject {
    @Field.Stored("name") var name: String = ""
    @Field.Stored("age") var age: Int = 0
}

private final class Dog: Animal {}

private final class Stone: CoreStoreObject {
    @Field.Stored("weight") var weight: Double?
    @Field.Stored("label") var label: String?
    @Field.Stored("found") var found: Date?
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Animal>("Animal"), Entity<Dog>("Dog"), Entity<Stone>("FetchedStone")]
)

@MainActor
struct FetchingTests {
    /// Returns a stack with the animals a1 … a4 of ages 1 … 4; a4 is a dog.
    private func make(_ backend: TestBackend) throws -> TestStack {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for age in 1...4 {
                let animal: Animal = age == 4 ? transaction.create(Into<Dog>()) : transaction.create(Into<Animal>())
                animal.name = "a\(age)"
                animal.age = age
            }
        })
        return test
    }

    /// Runs the body with every kind of source.
    private func everySource(
        _ backend: TestBackend, _ body: (any FetchableSource & QueryableSource) throws -> Void
    ) throws {
        let test = try make(backend)
        try body(test.stack)
        try test.stack.perform(synchronous: { try body($0) })
        try test.stack.read({ try body($0) })
        try body(test.stack.beginUnsafe())
        try body(test.stack.beginUnsafe().beginUnsafe())
    }

    private let byAge = OrderBy<Animal>(.descending(\.$age))
    private let old = Where<Animal>(\.$age > 1)

    @Test(.pins("FQ-01", "FQ-02"), arguments: TestBackend.allCases)
    func `every source accepts fetches and queries as clauses, lists or chains`(_ backend: TestBackend) throws {
        func check(_ source: any FetchableSource & QueryableSource) throws {
            let chain = From<Animal>().where(\.$age > 1).orderBy(.descending(\.$age))
            let all = ["a4", "a3", "a2"]
            #expect(try source.fetchAll(From<Animal>(), old, byAge).map(\.name) == all)
            #expect(try source.fetchAll(From<Animal>(), [old, byAge]).map(\.name) == all)
            #expect(try source.fetchAll(chain).map(\.name) == all)
            #expect(try source.fetchOne(From<Animal>(), old, byAge)?.name == "a4")
            #expect(try source.fetchOne(From<Animal>(), [old, byAge])?.name == "a4")
            #expect(try source.fetchOne(chain)?.name == "a4")
            #expect(try source.fetchCount(From<Animal>(), old, byAge) == 3)
            #expect(try source.fetchCount(From<Animal>(), [old, byAge]) == 3)
            #expect(try source.fetchCount(chain) == 3)
            let ids = try source.fetchAll(chain).map { $0.objectID() }
            #expect(try source.fetchObjectIDs(From<Animal>(), old, byAge) == ids)
            #expect(try source.fetchObjectIDs(From<Animal>(), [old, byAge]) == ids)
            #expect(try source.fetchObjectIDs(chain) == ids)
            #expect(try source.fetchObjectID(From<Animal>(), old, byAge) == ids[0])
            #expect(try source.fetchObjectID(From<Animal>(), [old, byAge]) == ids[0])
            #expect(try source.fetchObjectID(chain) == ids[0])
            let sum = Select<Animal, Int>(.sum(\.$age))
            #expect(try source.queryValue(From<Animal>(), sum, old) == 9)
            #expect(try source.queryValue(From<Animal>(), sum, [old]) == 9)
            #expect(try source.queryValue(From<Animal>().select(Int.self, .sum(\.$age)).where(\.$age > 1)) == 9)
            let ages = Select<Animal, NSDictionary>(.attribute(\.$age))
            #expect(
                try source.queryAttributes(From<Animal>(), ages, old, byAge).map { $0["age"] as? Int } == [4, 3, 2])
            #expect(
                try source.queryAttributes(From<Animal>(), ages, [old, byAge]).map { $0["age"] as? Int } == [4, 3, 2])
        }
        try everySource(backend, check)
    }

    @Test(.pins("FQ-02"), arguments: TestBackend.allCases)
    func `a fetch without matching objects throws no error`(_ backend: TestBackend) throws {
        func check(_ source: any FetchableSource & QueryableSource) throws {
            let none = Where<Animal>(\.$age > 100)
            #expect(try source.fetchAll(From<Animal>(), none) == [])
            #expect(try source.fetchOne(From<Animal>(), none) == nil)
            #expect(try source.fetchCount(From<Animal>(), none) == 0)
            #expect(try source.fetchObjectID(From<Animal>(), none) == nil)
            #expect(try source.fetchObjectIDs(From<Animal>(), none) == [])
        }
        try everySource(backend, check)
    }

    @Test(.pins("FQ-03"), arguments: TestBackend.allCases)
    func `fetchExisting returns objects in the requested order and omits deleted objects`(
        _ backend: TestBackend
    ) throws {
        let (test, other) = (try make(backend), try make(backend))
        let animals = try test.stack.fetchAll(From<Animal>(), byAge)
        let foreign = try #require(try other.stack.fetchOne(From<Animal>()))
        try test.stack.perform(synchronous: { $0.delete(animals[1]) })
        let mixed = [animals[3], foreign, animals[1], animals[0], animals[3]]
        let recording = try RecordingLogger.record("Animal#") {
            try test.stack.perform(synchronous: { transaction in
                #expect(transaction.fetchExisting(mixed).map(\.name) == ["a1", "a4", "a1"])
                let byID: [Animal] = transaction.fetchExisting(mixed.map { $0.objectID() })
                #expect(byID.map(\.name) == ["a1", "a4", "a1"])
                let own = try #require(transaction.fetchExisting(animals[0]))
                #expect(own !== animals[0])
                #expect(own.fetchSource() === transaction)
                let gone: Animal? = transaction.fetchExisting(animals[1].objectID())
                #expect(gone == nil)
            })
        }
        #expect(recording.entries.isEmpty)
        let name = animals[1].objectID().description
        let logged = RecordingLogger.record(name) { #expect(test.stack.fetchExisting(animals[1]) == nil) }
        #expect(
            logged.entries == [
                .error(.internalError, "\(name) was not found. It was deleted or never saved.")
            ])
    }

    @Test(.pins("FQ-04"), arguments: TestBackend.allCases)
    func `fetchExisting with an id of another class returns no object`(_ backend: TestBackend) throws {
        func check(_ source: any FetchableSource & QueryableSource) throws {
            let animals = try source.fetchAll(From<Animal>(), byAge)
            #expect(source.fetchExisting(animals[0].objectID()) as Dog? === animals[0])
            #expect(source.fetchExisting(animals[1].objectID()) as Dog? == nil)
            #expect(source.fetchExisting(animals[0].objectID()) as Stone? == nil)
            #expect(source.fetchExisting(animals.map { $0.objectID() }) as [Dog] == [animals[0]])
        }
        try everySource(backend, check)
    }

    @Test(.pins("FQ-05"), arguments: TestBackend.allCases)
    func `a repeated fetch returns the same objects`(_ backend: TestBackend) throws {
        func check(_ source: any FetchableSource & QueryableSource) throws {
            let first = try source.fetchAll(From<Animal>(), byAge)
            let second = try source.fetchAll(From<Animal>(), byAge)
            #expect(zip(first, second).filter { $0 !== $1 }.count == 0)
            #expect(try source.fetchOne(From<Dog>()) === first[0])
        }
        try everySource(backend, check)
    }

    @Test(.pins("FQ-05", "TX-21"), arguments: TestBackend.allCases)
    func `an ended transaction returns no objects on another queue and fails an assertion`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let id = try test.stack.perform(synchronous: { $0.create(Into<Stone>()).objectID() })
        nonisolated(unsafe) let stone: Stone? = test.stack.fetchExisting(id)
        nonisolated(unsafe) var ended: SynchronousDataTransaction?
        try test.stack.perform(synchronous: { ended = $0 })
        nonisolated(unsafe) let sources: [any FetchableSource] = [try #require(ended)]
        let text =
            "'Stone' was fetched outside the queue of the data stack or transaction. Use that queue, or 'stack.read'."
        let log = RecordingLogger.record(text) {
            DispatchQueue(label: "elsewhere").sync {
                for source in sources {
                    #expect(source.fetchExisting(id) as Stone? == nil)
                    #expect((source.fetchExisting([id]) as [Stone]).isEmpty)
                    #expect(stone.flatMap { source.fetchExisting($0) } == nil)
                    #expect(throws: CoreStoreError.self) { try source.fetchCount(From<Stone>()) }
                }
            }
        }
        #expect(log.assertions == Array(repeating: text, count: 4))
        let refreshing = RecordingLogger.record("refresh") { ended?.refreshAndMergeAllObjects() }
        #expect(refreshing.assertions.first == "'refreshAndMergeAllObjects' was called on a finished transaction.")
    }

    @Test(.pins("FQ-11", "LOG-07"), arguments: TestBackend.allCases)
    func `a fetch of an unknown property throws and logs one error`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let text = "invalidRequest: 'FetchedStone' has no property 'wieght'. Did you mean 'weight'?"
        let wrong = Where<Stone>("wieght", isEqualTo: 1)
        let calls: [(String, () throws -> Void)] = [
            ("fetch", { _ = try test.stack.fetchAll(From<Stone>(), wrong) }),
            ("fetch", { _ = try test.stack.fetchOne(From<Stone>(), wrong) }),
            ("count", { _ = try test.stack.fetchCount(From<Stone>(), wrong) }),
            ("fetch", { _ = try test.stack.fetchObjectIDs(From<Stone>(), wrong) }),
            ("query", { _ = try test.stack.queryValue(From<Stone>(), Select<Stone, Int>(.count(\.$label)), wrong) }),
            ("delete", { try test.stack.perform(synchronous: { _ = try $0.deleteAll(From<Stone>(), wrong) }) }),
        ]
        for (operation, call) in calls {
            let recording = RecordingLogger.record("wieght") {
                let error = #expect(throws: CoreStoreError.self) { try call() }
                #expect(error?.description == text)
            }
            #expect(recording.entries == [.error(.internalError, "The \(operation) failed.")])
        }
    }

    @Test(.pins("FQ-07"), arguments: TestBackend.allCases)
    func `queryValue converts a value to the requested type or returns nil`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for weight in [3.0, 4.0] {
                let stone = transaction.create(Into<Stone>())
                stone.weight = weight
                stone.label = "x\(weight)"
                stone.found = Date(timeIntervalSinceReferenceDate: weight)
            }
        })
        func value<V: QueryableAttributeType>(_ type: V.Type, _ term: SelectTerm<Stone>) throws -> V? {
            try test.stack.queryValue(From<Stone>(), Select<Stone, V>(term))
        }
        #expect(try value(Double.self, .average(\.$weight)) == 3.5)
        #expect(try value(Int.self, .average(\.$weight)) == 3)
        #expect(try value(Int8.self, .average(\.$weight)) == 3)
        #expect(try value(Bool.self, .average(\.$weight)) == true)
        #expect(try value(Int.self, .count(\.$weight)) == 2)
        #expect(try value(String.self, .count(\.$weight)) == nil)
        #expect(try value(Date.self, .count(\.$weight)) == nil)
        #expect(try value(Double.self, .maximum(\.$weight)) == 4)
        #expect(try value(String.self, .minimum(\.$label)) == "x3.0")
        #expect(try value(Date.self, .maximum(\.$found)) == Date(timeIntervalSinceReferenceDate: 4))
        #expect(try value(Int.self, .maximum(\.$label)) == nil)
        #expect(try value(NSDecimalNumber.self, .count(\.$weight)) == nil)
        for term in [SelectTerm<Stone>.sum(\.$label), .average(\.$label), .sum(\.$found), .average(\.$found)] {
            #expect(try value(Double.self, term) == nil, "\(term)")
            #expect(try value(String.self, term) == nil, "\(term)")
            let rows = try test.stack.queryAttributes(From<Stone>(), Select<Stone, NSDictionary>(term))
            #expect(rows.count == 1 && rows.allSatisfy(\.isEmpty), "\(term): \(rows)")
        }
        let groups = try test.stack.queryAttributes(
            From<Stone>().select(NSDictionary.self, .attribute(\.$label), .sum(\.$label), .count(\.$weight, as: "n"))
                .groupBy(\.$label).orderBy(.ascending(\.$label)))
        #expect(groups.map(\.count) == [2, 2])
    }

    @Test(.pins("FQ-08"), arguments: TestBackend.allCases)
    func `aggregates without values are 0 or nil`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        for isNull in [false, true] {
            if isNull { try test.stack.perform(synchronous: { _ = $0.create(Into<Stone>()) }) }
            func value(_ term: SelectTerm<Stone>) throws -> Double? {
                try test.stack.queryValue(From<Stone>(), Select<Stone, Double>(term))
            }
            #expect(try value(.count(\.$weight)) == 0)
            #expect(try value(.sum(\.$weight)) == 0)
            #expect(try value(.average(\.$weight)) == nil)
            #expect(try value(.maximum(\.$weight)) == nil)
            #expect(try value(.minimum(\.$weight)) == nil)
            #expect(try value(.attribute(\.$weight)) == nil)
        }
    }

    @Test(.pins("FQ-09"), arguments: TestBackend.allCases)
    func `queried rows omit null values, and queries apply every clause`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for (label, weight) in [("a", 1.0), ("a", 2.0), ("b", nil), ("c", 9.0)] as [(String, Double?)] {
                let stone = transaction.create(Into<Stone>())
                stone.label = label
                stone.weight = weight
            }
        })
        let rows = try test.stack.queryAttributes(
            From<Stone>().select(NSDictionary.self, .attribute(\.$label), .maximum(\.$weight, as: "heaviest"))
                .where(\.$label != "c").groupBy(\.$label).orderBy(.descending(\.$label))
        )
        #expect(rows.map { $0.keys.sorted() } == [["label"], ["heaviest", "label"]])
        #expect(rows.map { $0["label"] as? String } == ["b", "a"])
        #expect(rows[1]["heaviest"] as? Double == 2)
        let limited = try test.stack.queryAttributes(
            From<Stone>().select(NSDictionary.self, .attribute(\.$label)).orderBy(.ascending(\.$label))
                .tweak { $0.fetchLimit = 2 }
        )
        #expect(limited.map { $0["label"] as? String } == ["a", "a"])
    }
}
