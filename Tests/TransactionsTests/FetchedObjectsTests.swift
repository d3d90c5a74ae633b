import Coffer
import CofferPostgreSQL
import CofferSQLite
import CofferStorage
import Dispatch
import Foundation
import TestSupport
import Testing

private final class Well: CoreStoreObject {
    @Field.Stored("number") var number: Int = 0
    @Field.Stored("zone") var zone: Int?
    @Field.Stored("name") var name: String?
    @Field.Relationship("shire") var shire: Shire?
}

private final class Shire: CoreStoreObject {
    @Field.Stored("title") var title: String = ""
    @Field.Relationship("wells", inverse: \.$shire) var wells: Set<Well>
}

private final class Pump: CoreStoreObject {
    @Field.Stored("code") var code: String = ""
    @Field.Stored("power") var power: Int = 0
}

/// Counts the objects that were released.
private final class Pail: CoreStoreObject {
    static let releasedCount = Locked(0)

    @Field.Stored("number") var number: Int = 0

    deinit { Self.releasedCount.withLock { $0 += 1 } }
}

private let schema = CoreStoreSchema(
    modelVersion: "V1",
    entities: [
        Entity<Well>("Well"), Entity<Shire>("Shire"), Entity<Pail>("Pail"),
        Entity<Pump>("Pump", uniqueConstraints: [[\.$code]]),
    ])

private typealias Model = (number: Int, zone: Int?, name: String?)

/// Lazy fetches, whose objects are read in batches.
@MainActor
struct FetchedObjectsTests {
    @discardableResult
    private func fill(_ stack: DataStack, _ count: Int) throws -> [Model] {
        var random = SeededGenerator(seed: 5)
        let models: [Model] = (0..<count).map { number in
            let zone = random.chance(30) ? nil : random.below(4) - 1
            return (number, zone, random.chance(30) ? nil : ["Aare", "aare", "z", ""][random.below(4)])
        }
        try stack.perform(synchronous: { transaction in
            let shire = transaction.create(Into<Shire>())
            shire.title = "Kent"
            for model in models {
                let well = transaction.create(Into<Well>())
                (well.number, well.zone, well.name) = model
                well.shire = shire
            }
        })
        return models
    }

    private func batches(of size: Int) -> FetchChainBuilder<Well> {
        From<Well>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = size }
    }

    // MARK: The same result as other fetches

    private func precedes<Value: Comparable>(_ left: Value?, _ right: Value?, _ ascending: Bool) -> Bool? {
        if left == right { return nil }
        guard let left else { return ascending }
        guard let right else { return !ascending }
        return (left < right) == ascending
    }

    private func isBefore(_ left: Model, _ right: Model, _ keys: [(name: String, ascending: Bool)]) -> Bool {
        for (name, ascending) in keys {
            let answer =
                name == "zone"
                ? precedes(left.zone, right.zone, ascending) : precedes(left.name, right.name, ascending)
            if let answer { return answer }
        }
        return left.number < right.number
    }

    /// The clauses of a random fetch, and its numbers by a sort that no store takes part in.
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
        var expected = models.filter { $0.number >= least }.sorted { isBefore($0, $1, keys) }.map(\.number)
        expected = Array(expected.dropFirst(offset))
        if limit > 0 { expected = Array(expected.prefix(limit)) }
        let tweak = Tweak {
            $0.fetchBatchSize = size
            $0.fetchOffset = offset
            $0.fetchLimit = limit
            $0.shouldRefreshRefetchedObjects = isRefreshing
        }
        let condition = Where<Well>("number >= %d", least)
        let order = OrderBy<Well>(keys.map { $0.ascending ? .ascending($0.name) : .descending($0.name) })
        return (
            keys.isEmpty ? [condition, tweak] : [condition, order, tweak], expected,
            "\(keys), offset \(offset), limit \(limit), batches of \(size), least \(least)"
        )
    }

    @Test(arguments: TestBackend.allCases)
    func `a lazy fetch has the objects, the order, the offset and the limit of fetchAll`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        let models = try fill(test.stack, 60)
        var random = SeededGenerator(seed: 12)
        for _ in 0..<60 {
            let (clauses, expected, comment) = randomFetch(&random, models)
            let read = try test.stack.read { try $0.fetchLazily(From<Well>(), clauses).map { $0?.number } }
            #expect(read == expected, comment)
            let seen = try test.stack.fetchLazily(From<Well>(), clauses)
            #expect(seen.count == expected.count, comment)
            for place in seen.indices.shuffled(using: &random) {
                #expect(seen[place]?.number == expected[place], comment)
            }
            let all = try test.stack.fetchAll(From<Well>(), clauses)
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
            let well = transaction.create(Into<Well>())
            (well.number, well.zone) = (100 + round, random.below(4) - 1)
            let changed: Well? = try transaction.fetchOne(From<Well>().where { $0.$number == random.below(60) })
            changed?.zone = random.chance(30) ? nil : random.below(4) - 1
            if round % 4 == 0 { transaction.delete(changed) }
            let (clauses, _, comment) = randomFetch(&random, models)
            let seen = try transaction.fetchLazily(From<Well>(), clauses)
            let all = try transaction.fetchAll(From<Well>(), clauses)
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
    func `only the batches of used objects are read, each by one request`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 100)
        /// Expects the numbers and the batches that a use of a lazy fetch reads, in a read of its own.
        func expect(
            _ numbers: [Int], batches count: Int, at location: SourceLocation = #_sourceLocation,
            _ use: (FetchedObjects<Well>) -> [Int?]
        ) throws {
            try test.stack.read { reading in
                _ = test.store.takeRequests()
                let seen = use(try reading.fetchLazily(batches(of: 10)))
                let requests = test.store.takeRequests()
                #expect(seen == numbers, sourceLocation: location)
                let expected = ["keys Well"] + Array(repeating: "10 rows Well", count: count)
                #expect(requests == expected, sourceLocation: location)
            }
        }
        try expect([100], batches: 0) { [$0.count] }
        try expect([], batches: 0) { $0.isEmpty ? [0] : [] }
        try expect([], batches: 0) { $0.objectID(at: 0) == $0.objectID(at: 99) ? [0] : [] }
        try expect([0], batches: 1) { [($0.first ?? nil)?.number] }
        try expect([99], batches: 1) { [($0.last ?? nil)?.number] }
        try expect([50], batches: 1) { [$0[$0.count / 2]?.number] }
        try expect(Array(45..<65), batches: 3) { wells in wells[45..<65].map { $0?.number } }
        try expect(Array(0..<100), batches: 10) { wells in
            var numbers: [Int?] = []
            for well in wells { numbers.append(well?.number) }
            return numbers
        }
        // The last four batches stay in memory, whatever the order of their uses.
        let places = [0, 99, 50, 20, 1, 98, 51, 21, 2]
        try expect(places, batches: 4) { wells in places.map { wells[$0]?.number } }
    }

    @Test(arguments: TestBackend.allCases)
    func `a relationship is loaded for the objects of a batch at once`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 20)
        let (titles, requests) = try test.stack.read { reading in
            _ = test.store.takeRequests()
            let shires = try reading.fetchLazily(From<Shire>().tweak { $0.fetchBatchSize = 3 })
            let wells = try reading.fetchLazily(batches(of: 10))
            let counts = shires.map { $0?.wells.count }
            return (counts + [wells.count], test.store.takeRequests())
        }
        #expect(titles == [20, 20])
        #expect(requests == ["keys Shire", "keys Well", "1 rows Shire", "related Shire.wells of 1"])
    }

    @Test(arguments: TestBackend.persistent)
    func `a batch is one statement of a database`(_ backend: TestBackend) throws {
        let statements = Locked<[String]>([])
        let directory = try TestStack.makeDirectory()
        let stack = DataStack(schema)
        defer { TestStack.remove(directory) }
        defer { stack.unsafeRemoveAllPersistentStoresAndWait() }
        let note: @Sendable (String) -> Void = { text in
            if text.contains("Well") { statements.withLock { $0.append(text) } }
        }
        if backend == .sqlite {
            let file = directory.appending(path: "wells.sqlite")
            try stack.addStorageAndWait(SQLiteStore(fileURL: file, settings: .init(onStatement: note)))
        } else {
            try stack.addStorageAndWait(Postgres.store("wells", in: directory, settings: .init(onStatement: note)))
        }
        try fill(stack, 2000)
        try stack.read { reading in
            statements.withLock { $0 = [] }
            // PostgreSQL answers a request for more than 256 keys by several statements.
            let order = From<Well>().orderBy(.descending(\.$number)).tweak { $0.fetchBatchSize = 256 }
            let wells = try reading.fetchLazily(order)
            #expect(wells.count == 2000)
            #expect(statements.withLock { $0.count } == 1)
            #expect(wells[1000]?.number == 999)
            #expect(wells[800]?.number == 1199)
            #expect(statements.withLock { $0.count } == 2, "\(statements.withLock(\.self))")
            #expect(wells.compactMap { $0?.number } == (0..<2000).reversed())
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
    func `deleted objects become nil, and other changes show in the objects`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 12)
        let wells = try test.stack.fetchLazily(batches(of: 4))
        let (kept, ids) = (try #require(wells[1]), wells.indices.map(wells.objectID))
        try test.stack.perform(synchronous: { transaction in
            try transaction.deleteAll(From<Well>().where { $0.$number == 1 || $0.$number == 5 })
            try transaction.fetchOne(From<Well>().where { $0.$number == 2 })?.number = 200
            try transaction.fetchOne(From<Well>().where { $0.$number == 6 })?.number = 600
            transaction.create(Into<Well>()).number = 3
        })
        let expected = [0, nil, 200, 3, 4, nil, 600, 7, 8, 9, 10, 11]
        #expect(wells.map { $0?.number } == expected)
        #expect(wells.map { $0?.number } == expected)
        #expect(kept.isDeleted && kept.number == 1)
        #expect(wells.indices.map(wells.objectID) == ids)
        #expect(
            try test.stack.fetchLazily(batches(of: 4)).map { $0?.number } == [0, 3, 3, 4, 7, 8, 9, 10, 11, 200, 600])
    }

    @Test(arguments: TestBackend.allCases)
    func `a read sees its snapshot in every batch`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 12)
        let numbers = try test.stack.read { reading in
            let wells = try reading.fetchLazily(batches(of: 4))
            // The commit of another transaction.
            _ = try test.stack.perform(synchronous: { try $0.deleteAll(From<Well>().where { $0.$number > 2 }) })
            return wells.map { $0?.number }
        }
        #expect(numbers == Array(0..<12))
        #expect(try test.stack.fetchCount(From<Well>()) == 3)
    }

    @Test(arguments: TestBackend.allCases)
    func `pending deletions are nil until they are undone`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try fill(test.stack, 8)
        let transaction = test.stack.beginUnsafe(supportsUndo: true)
        transaction.create(Into<Well>()).number = 8
        transaction.flush()
        let wells = try transaction.fetchLazily(batches(of: 3))
        #expect(wells[1]?.number == 1)
        try transaction.deleteAll(From<Well>().where { $0.$number == 1 || $0.$number == 4 })
        transaction.create(Into<Well>()).number = 5
        transaction.flush()
        #expect(wells.map { $0?.number } == [0, nil, 2, 3, nil, 5, 6, 7, 8])
        transaction.undo()
        #expect(wells.map { $0?.number } == Array(0..<9))
        transaction.rollback()
        #expect(wells.map { $0?.number } == [0, 1, 2, 3, 4, 5, 6, 7, nil])
    }

    @Test(arguments: TestBackend.allCases)
    func `an object that was merged stays in its place`(_ backend: TestBackend) throws {
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
    func `a batch that cannot be read is nil, and the read or the transaction fails`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 10)
        let numbers = Locked<[Int?]>([])
        let failure = #expect(throws: CoreStoreError.self) {
            try test.stack.read { reading in
                let wells = try reading.fetchLazily(batches(of: 5))
                _ = wells[0]
                test.store.fail(.read)
                let seen = [wells[4], wells[5], wells[6]].map { $0?.number }
                numbers.withLock { $0 = seen }
            }
        }
        #expect("\(failure.debugDescription)".contains("on fire"))
        // The next use of the batch reads it.
        #expect(numbers.withLock(\.self) == [4, nil, 6])
        let refused = #expect(throws: CoreStoreError.self) {
            try test.stack.perform(synchronous: { transaction in
                let wells = try transaction.fetchLazily(batches(of: 5))
                test.store.fail(.read)
                wells[1]?.number = 100
                wells[2]?.number = 200
            })
        }
        #expect("\(refused.debugDescription)".contains("on fire"))
        #expect(try test.stack.fetchCount(From<Well>().where { $0.$number >= 100 }) == 0)
        // The keys are part of the fetch, which throws.
        test.store.fail(.read)
        #expect(throws: CoreStoreError.self) { try test.stack.fetchLazily(batches(of: 5)) }
    }

    @Test(arguments: TestBackend.allCases)
    func `a batch of the stack that cannot be read is logged, and can be read later`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 10)
        let wells = try test.stack.fetchLazily(batches(of: 4))
        let log = RecordingLogger.record("lazy fetch") {
            test.store.fail(.read, with: StorageError(.failed, "The lazy fetch is on fire."))
            #expect(wells[9] == nil)
            #expect(wells[9]?.number == 9)
        }
        #expect(log.errors == ["The objects at 8..<10 of a lazy fetch could not be read. They read as nil."])
    }

    @Test(arguments: TestBackend.allCases)
    func `after its source has ended, a lazy fetch has no objects`(_ backend: TestBackend) throws {
        var kept: [FetchedObjects<Well>] = []
        do {
            let test = try TestStack(backend, schema)
            try fill(test.stack, 3)
            kept.append(try test.stack.read { try $0.fetchLazily(batches(of: 2)) })
            kept.append(try test.stack.perform(synchronous: { try $0.fetchLazily(batches(of: 2)) }))
            kept.append(try test.stack.fetchLazily(batches(of: 2)))
            #expect(kept[2][0]?.number == 0)
            let wells = kept[0]
            let failure = RecordingLogger.record("Well#") {
                #expect(throws: CoreStoreError.self) { try test.stack.read { _ in wells[0]?.number } }
            }
            #expect(failure.errors.count == 1)
        }
        for wells in kept {
            #expect(wells.count == 3)
            let log = RecordingLogger.record("from a lazy fetch") {
                #expect(wells.map { $0?.number } == [nil, nil, nil])
            }
            #expect(log.errors.count == 3)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a use on another thread is a mistake, and the view queue serves it`(_ backend: TestBackend) throws {
        let queue = DispatchQueue(label: "wells")
        let test = try TestStack(backend, schema, viewQueue: queue)
        try fill(test.stack, 3)
        // Sendable: the view queue serves the use on this thread.
        nonisolated(unsafe) let wells = try queue.sync { try test.stack.fetchLazily(batches(of: 2)) }
        let log = RecordingLogger.record("'Well' was fetched outside") { #expect(wells[2]?.objectID() != nil) }
        #expect(log.assertions.count == 1)
    }

    // MARK: Descriptions

    @Test(arguments: TestBackend.allCases)
    func `a description reads nothing`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        try fill(test.stack, 3)
        let wells = try test.stack.fetchLazily(batches(of: 2))
        _ = test.store.takeRequests()
        #expect("\(wells)" == "FetchedObjects<Well>(3 objects)")
        #expect(wells.debugDescription.contains(".numberOfBatchesInMemory = 0"))
        #expect(test.store.takeRequests() == [])
    }
}
