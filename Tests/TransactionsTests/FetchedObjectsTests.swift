import Coffer
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

private typealias Station = Stations.Station
private typealias Line = Stations.Line
private typealias Model = Stations.Model

private final class Pump: CoreStoreObject {
    @Field.Stored("code") var code: String = ""
    @Field.Stored("power") var power: Int = 0
}

/// A class that counts its released objects.
private final class Pail: CoreStoreObject {
    static let releasedCount = Locked(0)

    @Field.Stored("number") var number: Int = 0

    deinit { Self.releasedCount.withLock { $0 += 1 } }
}

private let schema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<Station>("Station"), Entity<Line>("Line"), Entity<Pail>("Pail"),
        Entity<Pump>("Pump", uniqueConstraints: [[\.$code]]),
    ])

/// Lazy fetches, whose objects are read in batches.
@MainActor
struct FetchedObjectsTests {
    @discardableResult
    private func fill(_ stack: DataStack, _ count: Int) throws -> [Model] {
        var random = SeededGenerator(seed: 5)
        let models = (0..<count).map { number in
            let zone = random.chance(30) ? nil : random.below(4) - 1
            return Model(
                number: number, zone: zone, name: random.chance(30) ? nil : ["Aare", "aare", "z", ""][random.below(4)])
        }
        try stack.perform(synchronous: { transaction in
            let line = transaction.create(Into<Line>())
            line.title = "Kent"
            for model in models {
                let station = transaction.create(Into<Station>())
                (station.number, station.zone, station.name) = (model.number, model.zone, model.name)
                station.line = line
            }
        })
        return models
    }

    private func batches(of size: Int) -> FetchChainBuilder<Station> {
        From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = size }
    }

    // MARK: The same result as other fetches

    /// The clauses of a random fetch, and the numbers that a sort without the store expects.
    private func randomFetch(
        _ random: inout SeededGenerator, _ models: [Model]
    ) -> (clauses: [any FetchClause], expected: [Int], comment: Comment) {
        let names = ["zone", "name"].shuffled(using: &random).prefix(random.below(3))
        let keys = names.map { (name: $0, ascending: random.chance(50)) }
        let offset = random.chance(30) ? random.below(70) : 0
        let limit = random.chance(40) ? random.below(70) + 1 : 0
        let size = [1, 2, 7, 59, 60, 61, 0, -3, .max][random.below(9)]
        let least = random.chance(40) ? random.below(60) : -1
        let isRefreshing = random.chance(20)
        var expected = models.filter { $0.number >= least }.sorted { Model.isBefore($0, $1, keys) }.map(\.number)
        expected = Array(expected.dropFirst(offset))
        if limit > 0 { expected = Array(expected.prefix(limit)) }
        let tweak = Tweak {
            $0.fetchBatchSize = size
            $0.fetchOffset = offset
            $0.fetchLimit = limit
            $0.shouldRefreshRefetchedObjects = isRefreshing
        }
        let condition = Where<Station>("number >= %d", least)
        let order = OrderBy<Station>(keys.map { $0.ascending ? .ascending($0.name) : .descending($0.name) })
        return (
            keys.isEmpty ? [condition, tweak] : [condition, order, tweak], expected,
            "\(keys), offset \(offset), limit \(limit), batches of \(size), least \(least)"
        )
    }

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch returns the same objects as fetchAll, with the order, offset and limit`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let models = try fill(test.stack, 60)
        var random = SeededGenerator(seed: 12)
        for _ in 0..<60 {
            let (clauses, expected, comment) = randomFetch(&random, models)
            let read = try test.stack.read { try $0.fetchLazily(From<Station>(), clauses).map { $0?.number } }
            #expect(read == expected, comment)
            let seen = try test.stack.fetchLazily(From<Station>(), clauses)
            #expect(seen.count == expected.count, comment)
            for place in seen.indices.shuffled(using: &random) {
                #expect(seen[place]?.number == expected[place], comment)
            }
            let all = try test.stack.fetchAll(From<Station>(), clauses)
            #expect(zip(seen, all).allSatisfy { $0 === $1 }, comment)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch in a transaction finds pending objects`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let models = try fill(test.stack, 60)
        let transaction = test.stack.beginUnsafe()
        var random = SeededGenerator(seed: 13)
        for round in 0..<40 {
            let station = transaction.create(Into<Station>())
            (station.number, station.zone) = (100 + round, random.below(4) - 1)
            let changed: Station? = try transaction.fetchOne(From<Station>().where { $0.$number == random.below(60) })
            changed?.zone = random.chance(30) ? nil : random.below(4) - 1
            if round % 4 == 0 { transaction.delete(changed) }
            let (clauses, _, comment) = randomFetch(&random, models)
            let seen = try transaction.fetchLazily(From<Station>(), clauses)
            let all = try transaction.fetchAll(From<Station>(), clauses)
            #expect(seen.count == all.count, comment)
            #expect(zip(seen, all).allSatisfy { $0 === $1 }, comment)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch merges the objects of several stores`(_ backend: TestBackend) throws {
        let schema = CoreStoreSchema(
            modelVersion: "V1", entityConfigurations: [Entity<Pail>("Pail"): ["one", "two"]])
        let stack = DataStack(schema)
        let directory = try TestStack.makeDirectory()
        defer { TestStack.remove(directory) }
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        for name in ["one", "two"] {
            try TestStack.addStore(backend, to: stack, in: directory, configuration: name)
        }
        try stack.perform(synchronous: { transaction in
            for number in 0..<20 { transaction.create(Into<Pail>(number % 3 == 0 ? "two" : "one")).number = number }
        })
        let order = From<Pail>().orderBy(.descending(\.$number)).tweak { $0.fetchBatchSize = 3 }
        #expect(try stack.fetchLazily(order).map { $0?.number } == (0..<20).reversed())
        #expect(try stack.fetchLazily(From<Pail>("two")).compactMap { $0?.number } == [0, 3, 6, 9, 12, 15, 18])
        let first = try stack.fetchLazily(order.tweak { $0.fetchLimit = 1 })
        #expect(first.map { $0?.number } == [19])
    }

    // MARK: Requests

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch reads only the batches of accessed objects, each with one request`(_ backend: TestBackend) throws
    {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 100)
        /// Checks the numbers and the batches that a lazy fetch reads, in a separate read.
        func expect(
            _ numbers: [Int], batches count: Int, at location: SourceLocation = #_sourceLocation,
            _ use: (FetchedObjects<Station>) -> [Int?]
        ) throws {
            try test.stack.read { reading in
                _ = test.store.takeRequests()
                let seen = use(try reading.fetchLazily(batches(of: 10)))
                let requests = test.store.takeRequests()
                #expect(seen == numbers, sourceLocation: location)
                let expected = ["keys Station"] + Array(repeating: "10 rows Station", count: count)
                #expect(requests == expected, sourceLocation: location)
            }
        }
        try expect([100], batches: 0) { [$0.count] }
        try expect([], batches: 0) { $0.isEmpty ? [0] : [] }
        try expect([], batches: 0) { $0.objectID(at: 0) == $0.objectID(at: 99) ? [0] : [] }
        try expect([0], batches: 1) { [$0.first?.number] }
        try expect([99], batches: 1) { [$0.last?.number] }
        try expect([50], batches: 1) { [$0[$0.count / 2]?.number] }
        try expect(Array(45..<65), batches: 3) { stations in stations[45..<65].map { $0?.number } }
        try expect(Array(0..<100), batches: 10) { stations in
            var numbers: [Int?] = []
            for station in stations { numbers.append(station?.number) }
            return numbers
        }
        // The last four batches stay in memory, in whatever order they are used.
        let places = [0, 99, 50, 20, 1, 98, 51, 21, 2]
        try expect(places, batches: 4) { stations in places.map { stations[$0]?.number } }
    }

    @Test(arguments: TestBackend.allCases)
    func `first and last are nil if a lazy fetch is empty or the objects were deleted`(
        _ backend: TestBackend
    ) throws {
        let test = try ProbedStack(backend, schema)
        #expect(try test.stack.fetchLazily(From<Station>()).first == nil)
        #expect(try test.stack.fetchLazily(From<Station>()).last == nil)
        try fill(test.stack, 3)
        try test.stack.perform(synchronous: { transaction in
            let stations = try transaction.fetchLazily(batches(of: 2))
            for number in [0, 2] { try transaction.deleteAll(From<Station>().where { $0.$number == number }) }
            #expect(stations.first == nil && stations.last == nil)
            #expect(stations.count == 3 && stations[1]?.number == 1)
        })
    }

    @Test(arguments: TestBackend.allCases)
    func `a relationship loads with one request for all objects of a batch`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 20)
        let (titles, requests) = try test.stack.read { reading in
            _ = test.store.takeRequests()
            let lines = try reading.fetchLazily(From<Line>().tweak { $0.fetchBatchSize = 3 })
            let stations = try reading.fetchLazily(batches(of: 10))
            let counts = lines.map { $0?.stations.count }
            return (counts + [stations.count], test.store.takeRequests())
        }
        #expect(titles == [20, 20])
        #expect(requests == ["keys Line", "keys Station", "1 rows Line", "related Line.stations of 1"])
    }

    @Test(arguments: TestBackend.persistent)
    func `a database reads each batch with one statement`(_ backend: TestBackend) throws {
        let statements = Locked<[String]>([])
        let directory = try TestStack.makeDirectory()
        let stack = DataStack(schema)
        defer { TestStack.remove(directory) }
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let note: @Sendable (String) -> Void = { text in
            if text.contains("Station") { statements.withLock { $0.append(text) } }
        }
        if backend == .sqlite {
            let file = directory.appending(path: "stations.sqlite")
            try stack.addStorageAndWait(SQLiteStore(fileURL: file, settings: .init(onStatement: note)))
        } else {
            try stack.addStorageAndWait(Postgres.store("stations", in: directory, settings: .init(onStatement: note)))
        }
        try fill(stack, 2000)
        try stack.read { reading in
            statements.withLock { $0 = [] }
            // The PostgreSQL store uses several statements for a request with more than 256 keys.
            let order = From<Station>().orderBy(.descending(\.$number)).tweak { $0.fetchBatchSize = 256 }
            let stations = try reading.fetchLazily(order)
            #expect(stations.count == 2000)
            #expect(statements.withLock { $0.count } == 1)
            #expect(stations[1000]?.number == 999)
            #expect(stations[800]?.number == 1199)
            #expect(statements.withLock { $0.count } == 2, "\(statements.withLock(\.self))")
            #expect(stations.compactMap { $0?.number } == (0..<2000).reversed())
            #expect(statements.withLock { $0.count } == 9, "\(statements.withLock(\.self))")
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `the objects of unused batches are released`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<12_000 { transaction.create(Into<Pail>()).number = number }
        })
        func most(_ pails: FetchedObjects<Pail>) -> Int {
            let before = Pail.releasedCount.withLock { $0 }
            var (count, most) = (0, 0)
            for pail in pails {
                count += pail == nil ? 0 : 1
                most = max(most, count - Pail.releasedCount.withLock { $0 } + before)
            }
            #expect(count == 12_000)
            return most
        }
        let order = From<Pail>().orderBy(.descending(\.$number))
        #expect(try test.stack.read { most(try $0.fetchLazily(order)) } < 9_000)
        #expect(most(try test.stack.fetchLazily(order)) < 9_000)
    }

    // MARK: Changes after the fetch

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch returns nil for deleted objects and shows changes of other objects`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 12)
        let stations = try test.stack.fetchLazily(batches(of: 4))
        let (kept, ids) = (try #require(stations[1]), stations.indices.map(stations.objectID))
        try test.stack.perform(synchronous: { transaction in
            try transaction.deleteAll(From<Station>().where { $0.$number == 1 || $0.$number == 5 })
            try transaction.fetchOne(From<Station>().where { $0.$number == 2 })?.number = 200
            try transaction.fetchOne(From<Station>().where { $0.$number == 6 })?.number = 600
            transaction.create(Into<Station>()).number = 3
        })
        let expected = [0, nil, 200, 3, 4, nil, 600, 7, 8, 9, 10, 11]
        #expect(stations.map { $0?.number } == expected)
        #expect(stations.map { $0?.number } == expected)
        #expect(kept.isDeleted && kept.number == 1)
        #expect(stations.indices.map(stations.objectID) == ids)
        #expect(
            try test.stack.fetchLazily(batches(of: 4)).map { $0?.number } == [0, 3, 3, 4, 7, 8, 9, 10, 11, 200, 600])
    }

    @Test(arguments: TestBackend.allCases)
    func `all batches of a lazy fetch read from one snapshot`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 12)
        let numbers = try test.stack.read { reading in
            let stations = try reading.fetchLazily(batches(of: 4))
            // The commit of another transaction.
            _ = try test.stack.perform(synchronous: { try $0.deleteAll(From<Station>().where { $0.$number > 2 }) })
            return stations.map { $0?.number }
        }
        #expect(numbers == Array(0..<12))
        #expect(try test.stack.fetchCount(From<Station>()) == 3)
    }

    @Test(arguments: TestBackend.allCases)
    func `objects with a pending deletion are nil in a lazy fetch until undo restores them`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 8)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        transaction.create(Into<Station>()).number = 8
        transaction.flush()
        let stations = try transaction.fetchLazily(batches(of: 3))
        #expect(stations[1]?.number == 1)
        try transaction.deleteAll(From<Station>().where { $0.$number == 1 || $0.$number == 4 })
        transaction.create(Into<Station>()).number = 5
        transaction.flush()
        #expect(stations.map { $0?.number } == [0, nil, 2, 3, nil, 5, 6, 7, 8])
        transaction.undo()
        #expect(stations.map { $0?.number } == Array(0..<9))
        transaction.rollback()
        #expect(stations.map { $0?.number } == [0, 1, 2, 3, 4, 5, 6, 7, nil])
    }

    @Test(arguments: TestBackend.allCases)
    func `a merged object keeps its position in a lazy fetch`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Pump>()).code = "a"
        })
        let transaction = test.stack.beginUnsafe()
        for code in ["b", "a"] { transaction.create(Into<Pump>()).code = code }
        let pumps = try transaction.fetchLazily(From<Pump>().tweak { $0.fetchBatchSize = 1 })
        #expect(pumps.map { $0?.code } == ["a", "b", "a"])
        let later = try transaction.fetchLazily(From<Pump>().tweak { $0.fetchBatchSize = 2 })
        try transaction.commitAndWait()
        #expect(pumps.map { $0?.code } == ["a", "b", "a"])
        #expect(later.map { $0?.code } == ["a", "b", "a"])
        #expect(later[0]?.objectID() == later[2]?.objectID())
    }

    // MARK: Failures

    @Test(arguments: TestBackend.allCases)
    func `objects of a batch that cannot be read are nil, and the read or transaction fails`(
        _ backend: TestBackend
    ) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 10)
        let numbers = Locked<[Int?]>([])
        let failure = #expect(throws: CoreStoreError.self) {
            try test.stack.read { reading in
                let stations = try reading.fetchLazily(batches(of: 5))
                _ = stations[0]
                test.store.fail(.read)
                let seen = [stations[4], stations[5], stations[6]].map { $0?.number }
                numbers.withLock { $0 = seen }
            }
        }
        #expect("\(failure.debugDescription)".contains("on fire"))
        // The next use of the batch reads it again, without a failure.
        #expect(numbers.withLock(\.self) == [4, nil, 6])
        let refused = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let stations = try transaction.fetchLazily(batches(of: 5))
                test.store.fail(.read)
                stations[1]?.number = 100
                stations[2]?.number = 200
            })
        }
        #expect("\(refused.debugDescription)".contains("on fire"))
        #expect(try test.stack.fetchCount(From<Station>().where { $0.$number >= 100 }) == 0)
        // The fetch itself reads the keys, so the fetch throws.
        test.store.fail(.read)
        #expect(throws: CoreStoreError.self) { try test.stack.fetchLazily(batches(of: 5)) }
    }

    @Test(arguments: TestBackend.allCases)
    func `in a lazy fetch of the stack, an unreadable batch logs an error and can be read later`(
        _ backend: TestBackend
    ) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 10)
        let stations = try test.stack.fetchLazily(batches(of: 4))
        let log = RecordingLogger.record("lazy fetch") {
            test.store.fail(.read, with: StorageError(.failed, "The lazy fetch is on fire."))
            #expect(stations[9] == nil)
            #expect(stations[9]?.number == 9)
        }
        #expect(log.errors == ["The objects at 8..<10 of a lazy fetch could not be read. Their elements are nil."])
    }

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch returns nil for every object after its source has ended`(_ backend: TestBackend) throws {
        var kept: [FetchedObjects<Station>] = []
        do {
            let test = try TestStack(backend, schema)
            try fill(test.stack, 3)
            kept.append(try test.stack.read { try $0.fetchLazily(batches(of: 2)) })
            kept.append(try test.stack.perform(synchronous: { try $0.fetchLazily(batches(of: 2)) }))
            kept.append(try test.stack.fetchLazily(batches(of: 2)))
            #expect(kept[2][0]?.number == 0)
            let stations = kept[0]
            let failure = RecordingLogger.record("Station#") {
                #expect(throws: CoreStoreError.self) { try test.stack.read { _ in stations[0]?.number } }
            }
            #expect(failure.errors.count == 1)
        }
        for stations in kept {
            #expect(stations.count == 3)
            let log = RecordingLogger.record("from a lazy fetch") {
                #expect(stations.map { $0?.number } == [nil, nil, nil])
            }
            #expect(log.errors.count == 3)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `using a lazy fetch on another thread fails an assertion and returns the object`(_ backend: TestBackend) throws
    {
        let queue = DispatchQueue(label: "stations")
        let test = try TestStack(backend, schema, viewQueue: queue)
        try fill(test.stack, 3)
        // Sendable: the view queue carries out each use of the list on this thread.
        nonisolated(unsafe) let stations = try queue.sync { try test.stack.fetchLazily(batches(of: 2)) }
        let log = RecordingLogger.record("'Station' was fetched outside") { #expect(stations[2]?.objectID() != nil) }
        #expect(log.assertions.count == 1)
    }

    // MARK: Descriptions

    @Test(arguments: TestBackend.allCases)
    func `the description of a lazy fetch makes no request`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 3)
        let stations = try test.stack.fetchLazily(batches(of: 2))
        _ = test.store.takeRequests()
        #expect("\(stations)" == "FetchedObjects<Station>(3 objects)")
        #expect(stations.debugDescription.contains(".numberOfBatchesInMemory = 0"))
        #expect(test.store.takeRequests() == [])
    }
}
