import Coffer
import CofferStorage
import Foundation
import TestSupport
import Testing

private typealias Station = Stations.Station
private typealias Line = Stations.Line
private typealias Model = Stations.Model

/// A class that counts its released objects.
private final class Stop: CoreStoreObject {
    static let releasedCount = Locked(0)

    @Field.Stored("number") var number: Int = 0

    deinit { Self.releasedCount.withLock { $0 += 1 } }
}

private let schema = CoreStoreSchema(
    modelVersion: "V1", entities: [Entity<Station>("Station"), Entity<Line>("Line"), Entity<Stop>("Stop")])

/// Fetches that process their objects page by page.
@MainActor
struct PagedFetchTests {
    private func fill(_ stack: DataStack, _ count: Int, seed: UInt64 = 7) throws -> [Model] {
        var random = SeededGenerator(seed: seed)
        let titles = ["Blue", "Green", ""]
        let models = (0..<count).map { number in
            Model(
                number: number, zone: random.chance(30) ? nil : random.below(4) - 1,
                name: random.chance(30) ? nil : ["Aare", "aare", "Ärger", "z", ""][random.below(5)],
                height: random.chance(30) ? nil : Double(random.below(5)) / 2 - 1,
                title: random.chance(30) ? nil : titles[random.below(3)])
        }
        try stack.perform(synchronous: { transaction in
            let lines = titles.map { title in
                let line = transaction.create(Into<Line>())
                line.title = title
                return line
            }
            for model in models {
                let station = transaction.create(Into<Station>())
                station.number = model.number
                station.zone = model.zone
                station.name = model.name
                station.height = model.height
                if let title = model.title { station.line = lines[titles.firstIndex(of: title) ?? 0] }
            }
        })
        return models
    }

    @Test(arguments: TestBackend.allCases)
    func `fetchEach applies the order, the offset and the limit to the whole fetch`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        let models = try fill(test.stack, 60)
        var random = SeededGenerator(seed: 11)
        for _ in 0..<60 {
            let names = ["zone", "name", "height", "line.title"].shuffled(using: &random).prefix(random.below(4))
            let keys = names.map { (name: $0, ascending: random.chance(50)) }
            let offset = random.chance(30) ? random.below(70) : 0
            let limit = random.chance(40) ? random.below(70) + 1 : 0
            let size = [1, 2, 3, 7, 59, 60, 61, 0][random.below(8)]
            let least = random.chance(40) ? random.below(60) : -1
            var expected = models.filter { $0.number >= least }.sorted { Model.isBefore($0, $1, keys) }.map(\.number)
            expected = Array(expected.dropFirst(offset))
            if limit > 0 { expected = Array(expected.prefix(limit)) }
            let tweak = Tweak {
                $0.fetchBatchSize = size
                $0.fetchOffset = offset
                $0.fetchLimit = limit
            }
            let order = OrderBy<Station>(
                keys.map { $0.ascending ? .ascending($0.name) : .descending($0.name) })
            let condition = Where<Station>("number >= %d", least)
            let clauses: [any FetchClause] = keys.isEmpty ? [condition, tweak] : [condition, order, tweak]
            let comment: Comment = "\(keys), offset \(offset), limit \(limit), pages of \(size)"
            let read = try test.stack.read { reading in
                var numbers: [Int] = []
                try reading.fetchEach(From<Station>(), clauses) { numbers.append($0.number) }
                return numbers
            }
            #expect(read == expected, comment)
            var seen: [Int] = []
            try test.stack.fetchEach(From<Station>(), clauses) { seen.append($0.number) }
            #expect(seen == expected, comment)
        }
    }

    @Test(arguments: TestBackend.allCases)
    func `a page and its relationships load with one request each`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        _ = try fill(test.stack, 10)
        _ = test.store.takeRequests()
        let titles = try test.stack.read { reading in
            var titles = 0
            let stations = From<Station>().orderBy(.ascending(\.$zone)).tweak { $0.fetchBatchSize = 4 }
            try reading.fetchEach(stations) { titles += $0.line?.title.count ?? 0 }
            return titles
        }
        #expect(titles > 0)
        let requests = test.store.takeRequests()
        #expect(requests.count { $0.hasPrefix("rows") } == 3, "\(requests)")
        #expect(requests.count <= 6, "\(requests)")
    }

    @Test(arguments: TestBackend.allCases)
    func `objects of earlier pages are released`(_ backend: TestBackend) throws {
        let test = try TestStack(backend, schema)
        try test.stack.perform(synchronous: { transaction in
            for number in 0..<12_000 { transaction.create(Into<Stop>()).number = number / 100 }
        })
        let (count, most) = try test.stack.read { reading in
            let before = Stop.releasedCount.withLock { $0 }
            var (count, most) = (0, 0)
            try reading.fetchEach(From<Stop>().orderBy(.descending(\.$number))) { _ in
                count += 1
                most = max(most, count - Stop.releasedCount.withLock { $0 } + before)
            }
            return (count, most)
        }
        #expect(count == 12_000)
        #expect(most < 6_000)
    }

    @Test(arguments: TestBackend.allCases)
    func `fetchEach in a transaction visits each object once although the closure changes objects`(
        _ backend: TestBackend
    ) throws {
        let test = try TestStack(backend, schema)
        _ = try fill(test.stack, 20)
        let visited = try test.stack.perform(synchronous: { transaction in
            transaction.create(Into<Station>()).number = 20
            var visited: [Int] = []
            let stations = From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = 3 }
            try transaction.fetchEach(stations) { station in
                visited.append(station.number)
                if station.number == 4 {
                    try transaction.deleteAll(From<Station>().where { $0.$number >= 10 && $0.$number < 18 })
                }
                station.number += 1000
                transaction.create(Into<Station>()).number = 2000
            }
            return visited
        })
        #expect(visited == Array(0..<10) + [18, 19, 20])
        #expect(try test.stack.fetchCount(From<Station>().where { $0.$number >= 1000 }) == 26)
    }

    @Test(arguments: TestBackend.allCases)
    func `an error of the closure or of a page ends fetchEach`(_ backend: TestBackend) throws {
        let test = try ProbedStack(backend, schema)
        _ = try fill(test.stack, 10)
        let stations = From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = 4 }
        let stopped = Locked<[Int]>([])
        let mistake = #expect(throws: CoreStoreError.self) {
            try test.stack.read { reading in
                try reading.fetchEach(stations) { station in
                    if station.number == 5 { throw Mistake() }
                    stopped.withLock { $0.append(station.number) }
                }
            }
        }
        #expect(mistake?.thrown is Mistake)
        #expect(stopped.withLock { $0 } == Array(0..<5))
        test.store.fail(.read, after: 1)
        let count = Locked(0)
        let failure = #expect(throws: CoreStoreError.self) {
            try test.stack.read { try $0.fetchEach(stations) { _ in count.withLock { $0 += 1 } } }
        }
        #expect("\(failure.debugDescription)".contains("on fire"))
        #expect(count.withLock { $0 } == 4)
    }

    @Test(arguments: TestBackend.allCases)
    func `each asynchronous loop reads its own snapshot`(_ backend: TestBackend) async throws {
        let test = try TestStack(backend, schema)
        _ = try fill(test.stack, 10)
        let numbers = test.stack.async.fetchEach(
            From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = 3 }
        ) { $0.number }
        var first: [Int] = []
        for try await number in numbers {
            if number == 1 {
                _ = try await test.stack.async.perform { transaction in
                    try transaction.deleteAll(From<Station>().where { $0.$number > 4 })
                }
            }
            first.append(number)
        }
        #expect(first == Array(0..<10))
        var second: [Int] = []
        for try await number in numbers { second.append(number) }
        #expect(second == Array(0..<5))
    }

    @Test(arguments: TestBackend.allCases)
    func `a loop that ends early releases its reader`(_ backend: TestBackend) async throws {
        let test = try ProbedStack(backend, schema)
        _ = try fill(test.stack, 10)
        let before = test.store.readerCount
        let numbers = test.stack.async.fetchEach(
            From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = 3 }
        ) { $0.number }
        for try await number in numbers where number == 4 {
            #expect(test.store.readerCount == before + 1)
            break
        }
        while test.store.readerCount != before { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test(arguments: TestBackend.allCases)
    func `an asynchronous loop throws an error of its closure, of a page or of its cancelled task`(
        _ backend: TestBackend
    ) async throws {
        let test = try ProbedStack(backend, schema)
        _ = try fill(test.stack, 10)
        let stack = test.stack
        let stations = From<Station>().orderBy(.ascending(\.$number)).tweak { $0.fetchBatchSize = 4 }
        var iterator = stack.async.fetchEach(stations) { station -> Int in
            if station.number == 5 { throw Mistake() }
            return station.number
        }.makeAsyncIterator()
        for number in 0..<4 { #expect(try await iterator.next() == number) }
        do {
            _ = try await iterator.next()
            Issue.record("The closure threw no error.")
        } catch {
            #expect((error as? CoreStoreError)?.thrown is Mistake)
        }
        #expect(try await iterator.next() == nil)

        test.store.fail(.read, after: 1)
        var received = 0
        do {
            for try await _ in stack.async.fetchEach(stations, { $0.number }) { received += 1 }
            Issue.record("The store threw no error.")
        } catch {
            #expect("\(error)".contains("on fire"))
        }
        #expect(received == 4)

        let task = Task {
            var count = 0
            for try await number in stack.async.fetchEach(stations, { $0.number }) {
                count += 1
                if number == 1 { withUnsafeCurrentTask { $0?.cancel() } }
            }
            return count
        }
        let outcome = await task.result
        #expect((outcome.failure as? CoreStoreError) == .userCancelled)
    }
}

private struct Mistake: Error {}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { return error }
        return nil
    }
}
