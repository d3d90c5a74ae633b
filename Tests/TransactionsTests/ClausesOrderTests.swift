import Coffer
import Dispatch
import Foundation
import TestSupport
import Testing

/// The order of fetched objects, and tweaks of the request.
@MainActor
struct ClausesOrderTests {
    private typealias Pet = Town.Pet
    private typealias Dog = Town.Dog
    private typealias Person = Town.Person

    private func order(_ keys: OrderBy<Pet>.SortKey..., test: TestStack, tweak: Tweak = Tweak { _ in }) throws -> String
    {
        try test.names(OrderBy<Pet>(keys), isOrdered: true)
    }

    @Test(.pins("CLS-60"), arguments: TestBackend.allCases)
    func `objects are ordered by the sort keys`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try order(.ascending(\.$name), test: test) == "Ada Bo Cy Di Eve")
        #expect(try order(.descending(\.$name), test: test) == "Eve Di Cy Bo Ada")
        #expect(try order(.ascending("weight"), .descending("name"), test: test) == "Eve Ada Bo Di Cy")
        #expect(try order(.ascending(\.$species), .descending(\.$age), test: test) == "Eve Bo Ada Cy Di")
        #expect(try order(.ascending { $0.$price }, .ascending { $0.$name }, test: test) == "Di Eve Ada Bo Cy")
        let sum = OrderBy<Pet>(.ascending(\.$species)) + OrderBy<Pet>(.ascending(\.$age))
        #expect(try test.names(sum, isOrdered: true) == "Eve Ada Bo Di Cy")
        let dogs = From<Dog>().orderBy(.descending { $0.$name })
        #expect(try test.stack.fetchAll(dogs).map(\.name) == ["Di", "Cy"])
    }

    @Test(.pins("CLS-61"), arguments: TestBackend.allCases)
    func `equal orders return objects in the same order`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let orders: [OrderBy<Pet>] = [
            OrderBy(.descending(\.$age)), OrderBy(.descending("age")), OrderBy(.descending { $0.$age }),
        ]
        #expect(Set(orders).count == 1)
        #expect(orders[0] != OrderBy<Pet>(.ascending(\.$age)))
        for order in orders { #expect(try test.names(order, isOrdered: true) == "Cy Bo Ada Di Eve") }
    }

    @Test(.pins("CLS-62"), arguments: TestBackend.allCases)
    func `null comes first ascending and last descending`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try order(.ascending(\.$age), test: test) == "Eve Di Ada Bo Cy")
        #expect(try order(.descending(\.$age), test: test) == "Cy Bo Ada Di Eve")
    }

    @Test(.pins("CLS-63"), arguments: TestBackend.allCases)
    func `strings are ordered by their UTF-8 bytes`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema)
        let names = ["b", "B", "a", "é", "e\u{301}", "", "ab", "Z", "z", "🏳️‍🌈", "\u{FFFD}", "a\u{0}"]
        try test.stack.perform(synchronous: { transaction in
            for name in names { transaction.create(Into<Pet>()).name = name }
        })
        let expected = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let found = try test.stack.fetchAll(From<Pet>().orderBy(.ascending(\.$name))).map(\.name)
        #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
    }

    @Test(.pins("CLS-62", "CLS-63"), arguments: TestBackend.allCases)
    func `pending strings are ordered like saved strings`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema)
        let names = ["b", "B", "a", "é", "e\u{301}", "ab", "Z", "🏳️‍🌈", "\u{FFFD}", "a\u{0}"]
        try test.stack.perform(synchronous: { transaction in
            for name in names.prefix(5) { transaction.create(Into<Pet>()).species = name }
        })
        try test.stack.perform(synchronous: { transaction in
            for name in names.dropFirst(5) { transaction.create(Into<Pet>()).species = name }
            transaction.create(Into<Pet>()).name = "without a species"
            let expected = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
            for isAscending in [true, false] {
                let key: OrderBy<Pet>.SortKey = isAscending ? .ascending(\.$species) : .descending(\.$species)
                let found = try transaction.fetchAll(From<Pet>().orderBy(key)).map(\.species)
                let texts = found.compactMap { text in text.map { Array($0.utf8) } }
                let sorted: [[UInt8]] = isAscending ? expected : expected.reversed()
                #expect(texts == sorted)
                #expect(found.firstIndex(of: nil) == (isAscending ? 0 : 10))
            }
        })
    }

    @Test(.pins("CLS-64"), arguments: TestBackend.allCases)
    func `objects are ordered by a value of a related object`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        #expect(try order(.ascending("master.name"), .ascending("name"), test: test) == "Eve Ada Bo Cy Di")
        #expect(try order(.descending("master.city"), .descending("name"), test: test) == "Cy Bo Ada Eve Di")
        #expect(try order(.ascending("master.spouse.name"), .ascending("name"), test: test) == "Di Eve Ada Bo Cy")
    }

    @Test(.pins("CLS-63"), arguments: TestBackend.allCases)
    func `an order with a closure can ignore the case of strings`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        try test.stack.perform(synchronous: { transaction in
            try transaction.fetchOne(From<Pet>().where(\.$name == "Bo"))?.name = "bo"
        })
        func names(_ key: OrderBy<Pet>.SortKey) throws -> String {
            try test.stack.fetchAll(From<Pet>().orderBy(key)).map(\.name).joined(separator: " ")
        }
        #expect(try names(.ascending { $0.$name }) == "Ada Cy Di Eve bo")
        #expect(try names(.ascending({ $0.$name }, options: .caseInsensitive)) == "Ada bo Cy Di Eve")
        #expect(try names(.descending({ $0.$name }, options: .caseInsensitive)) == "Eve Di Cy bo Ada")
        #expect(try names(.descending({ $0.$master ~ \.$name }, options: .caseInsensitive)) == "Di Ada bo Cy Eve")
    }

    @Test(.pins("CLS-70"), arguments: TestBackend.allCases)
    func `a tweak replaces an earlier condition, and a later condition replaces the tweak's`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let chain = From<Pet>().where(\.$age > 100).tweak { $0.predicate = Where<Pet>(\.$name == "Bo").predicate }
        #expect(try test.stack.fetchAll(chain).map(\.name) == ["Bo"])
        let log = RecordingLogger.record("on 'Pet' was overwritten") {
            let later = From<Pet>().tweak { $0.predicate = Where<Pet>(\.$name == "Bo").predicate }.where(\.$age == 10)
            #expect((try? test.stack.fetchAll(later).map(\.name)) == ["Cy"])
        }
        #expect(log.messages(.warning).count == 1)
    }

    @Test(.pins("CLS-70"), arguments: TestBackend.allCases)
    func `a tweak overrides earlier clauses, and a later tweak overrides the earlier tweak`(
        _ backend: TestBackend
    ) throws {
        let test = try Town.filledWithPets(backend)
        let down = OrderBy<Pet>(.descending(\.$name)).sortDescriptors
        let last = From<Pet>().orderBy(.ascending(\.$name)).tweak { $0.fetchLimit = 1 }.tweak {
            $0.sortDescriptors = down
            $0.fetchLimit += 1
        }
        #expect(try test.stack.fetchAll(last).map(\.name) == ["Eve", "Di"])
        #expect(try test.stack.fetchAll(last.tweak { $0.fetchLimit = 3 }).map(\.name) == ["Eve", "Di", "Cy"])
        let counts = From<Pet>().select(NSDictionary.self, "species", .count("name", as: "n")).groupBy("name")
            .tweak { $0.propertiesToGroupBy = ["species"] }.orderBy(.ascending("species"))
        #expect(try test.stack.queryAttributes(counts).map { $0["n"] as? Int } == [1, 2, 2])
    }

    @Test(.pins("CLS-71"), arguments: TestBackend.allCases)
    func `a tweak sets the limit, the offset, the batch size and the included objects`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let byName = OrderBy<Pet>(.ascending(\.$name))
        func names(_ tweak: @escaping (FetchRequest) -> Void) throws -> String {
            try test.names(byName, Tweak(tweak), isOrdered: true)
        }
        #expect(try names { $0.fetchLimit = 2 } == "Ada Bo")
        #expect(try names { $0.fetchOffset = 3 } == "Di Eve")
        #expect(try names { ($0.fetchLimit, $0.fetchOffset) = (2, 1) } == "Bo Cy")
        #expect(try names { ($0.fetchLimit, $0.fetchOffset) = (9, 9) } == "")
        #expect(try names { ($0.fetchLimit, $0.fetchOffset) = (-1, -1) } == "Ada Bo Cy Di Eve")
        #expect(try names { $0.fetchBatchSize = 2 } == "Ada Bo Cy Di Eve")
        #expect(try names { $0.includesSubentities = false } == "Ada Bo Eve")
        #expect(try names { $0.relationshipKeyPathsForPrefetching = ["master"] } == "Ada Bo Cy Di Eve")
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pet>()).name = "New"
            let saved = try transaction.fetchCount(From<Pet>().tweak { $0.includesPendingChanges = false })
            #expect(saved == 5)
            let all = try transaction.fetchCount(From<Pet>())
            #expect(all == 6)
        })
    }

    @Test(.pins("CLS-11"), arguments: TestBackend.allCases)
    func `a tweak requests a limit, an offset and distinct rows`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let page = From<Pet>().orderBy(.ascending(\.$name)).tweak { ($0.fetchLimit, $0.fetchOffset) = (2, 2) }
        #expect(try test.stack.fetchAll(page).map(\.name) == ["Cy", "Di"])
        let species = From<Pet>().select(NSDictionary.self, "species").tweak { $0.returnsDistinctResults = true }
        #expect(try test.stack.queryAttributes(species).count == 3)
    }

    @Test(.pins("CLS-72"), arguments: TestBackend.allCases)
    func `fetchOne returns the first object, and fetchCount respects the limit`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        let chain = From<Pet>().orderBy(.descending(\.$name))
        #expect(try test.stack.fetchOne(chain)?.name == "Eve")
        #expect(try test.stack.fetchOne(chain.tweak { $0.fetchLimit = 3 })?.name == "Eve")
        #expect(try test.stack.fetchOne(chain.tweak { $0.fetchOffset = 1 })?.name == "Di")
        #expect(try test.stack.fetchCount(chain.tweak { $0.fetchLimit = 3 }) == 3)
        #expect(try test.stack.fetchCount(chain.tweak { $0.fetchLimit = 30 }) == 5)
        #expect(try test.stack.fetchCount(chain.tweak { $0.fetchOffset = 4 }) == 1)
        #expect(try test.stack.fetchCount(chain.tweak { $0.fetchOffset = 9 }) == 0)
        #expect(try test.stack.fetchObjectIDs(chain.tweak { $0.fetchLimit = 2 }).count == 2)
    }

    @Test(.pins("CLS-72"), arguments: TestBackend.allCases)
    func `a tweak sees the limit of 1 that fetchOne sets and can change the limit`(_ backend: TestBackend) throws {
        let test = try Town.filledWithPets(backend)
        var seen: [Int] = []
        let chain = From<Pet>().orderBy(.descending(\.$name)).tweak {
            seen.append($0.fetchLimit)
            $0.fetchLimit = 2
        }
        #expect(try test.stack.fetchOne(chain)?.name == "Eve")
        #expect(try test.stack.fetchObjectID(chain) == test.stack.fetchObjectIDs(chain).first)
        #expect(try test.stack.fetchAll(chain).count == 2)
        #expect(seen == [1, 1, 0, 0])
    }

    /// Fetches and queries with the greatest integers as limits and offsets, in one store and then in two.
    nonisolated private static func fetchBeyond(on backend: TestBackend) throws {
        let test = try TestStack(backend, Town.schema, viewQueue: DispatchQueue(label: "view"))
        for found in [[3, 2, 0, 0, 0], [6, 5, 0, 0, 2]] {
            if found[0] == 6 { try test.addStore(configuration: "A") }
            let counts = try test.stack.perform(
                synchronous: { transaction -> [Int] in
                    for name in ["a", "b", "c"] { transaction.create(Into<Town.Pet>(nil)).name = name }
                    func tweak(_ limit: Int, _ offset: Int) -> Tweak {
                        Tweak { ($0.fetchLimit, $0.fetchOffset) = (limit, offset) }
                    }
                    func count(_ limit: Int, _ offset: Int) throws -> Int {
                        try transaction.fetchAll(From<Town.Pet>(), tweak(limit, offset)).count
                    }
                    let names = Select<Town.Pet, NSDictionary>("name")
                    return [
                        try count(.max, 0), try count(.max, 1), try count(1, .max), try count(.max, .max),
                        try transaction.queryAttributes(From<Town.Pet>(), names, tweak(.max, 1)).count,
                    ]
                }, waitForAllObservers: false)
            guard counts == found else { throw CocoaError(.featureUnsupported) }
        }
    }

    @Test(.pins("CLS-71")) func `limits and offsets can be as large as the largest integer`() async {
        await #expect(processExitsWith: .success) { try ClausesOrderTests.fetchBeyond(on: .memory) }
        await #expect(processExitsWith: .success) { try ClausesOrderTests.fetchBeyond(on: .sqlite) }
        await #expect(processExitsWith: .success) {
            guard Postgres.url != nil else { return }
            try ClausesOrderTests.fetchBeyond(on: .postgresql)
        }
    }
}
